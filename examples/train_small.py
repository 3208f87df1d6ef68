"""A small network learns to beat a bot: NumPy, one processor, a few minutes.

    pip install '.[rl]'
    python examples/train_small.py                          # sushi_go at two seats against greedy
    python examples/train_small.py --cardset anniversary --minutes 10

One hidden layer gives a probability to each legal action and a forecast of the margin that is still to come; both learn
from games against the bot by PPO (clipped policy gradient with generalised advantages). Points are rewarded when they
are scored: the change of the difference between the two scores, which the observation shows. Then the network plays
games of other seeds, always its most probable action, and the share of wins (ties count half) is printed with a 95 %
interval.
"""

from __future__ import annotations

import argparse
import math
import time

import numpy as np

from draftengine.bots import SeatedBot
from draftengine.studies.environments.pettingzoo_env import parallel_env

HIDDEN = 128
GAMES = 64
"""Played side by side between two updates."""
EPOCHS, SAMPLES = 4, 256
RATE, CLIP, ENTROPY = 1e-3, 0.2, 0.01
LAMBDA = 0.95
POINTS = 10.0
"""Margins are measured in this unit."""
EVALUATION = 2_000


class Network:
    """One hidden layer, a softmax over the legal actions, and a forecast; Adam."""

    def __init__(self, inputs, actions, rng):
        self.mean, self.scale = np.zeros(inputs, np.float32), np.ones(inputs, np.float32)
        self.weights = {
            "in": rng.normal(0, 1 / math.sqrt(inputs), (inputs, HIDDEN)).astype(np.float32),
            "in_bias": np.zeros(HIDDEN, np.float32),
            "policy": rng.normal(0, 0.01, (HIDDEN, actions)).astype(np.float32),
            "policy_bias": np.zeros(actions, np.float32),
            "value": np.zeros((HIDDEN, 1), np.float32),
            "value_bias": np.zeros(1, np.float32),
        }
        self.moments = {name: (np.zeros_like(own), np.zeros_like(own)) for name, own in self.weights.items()}
        self.updates = 0

    def forward(self, seen, mask):
        """Hidden values, log-probabilities of the actions, forecasts."""
        own = self.weights
        hidden = np.tanh((seen - self.mean) * self.scale @ own["in"] + own["in_bias"])
        logits = np.where(mask, hidden @ own["policy"] + own["policy_bias"], -1e9)
        logits -= logits.max(axis=1, keepdims=True)
        logs = logits - np.log(np.exp(logits).sum(axis=1, keepdims=True))
        return hidden, logs, (hidden @ own["value"] + own["value_bias"])[:, 0]

    def learn(self, batch, rate):
        """One step of Adam on PPO's loss."""
        seen, mask, action, before, advantage, target = batch
        hidden, logs, forecast = self.forward(seen, mask)
        rows = np.arange(len(action))
        chances = np.exp(logs)
        ratio = np.exp(logs[rows, action] - before)
        moving = np.where(advantage > 0, ratio < 1 + CLIP, ratio > 1 - CLIP)
        pull = advantage * ratio * moving
        by_logit = chances * pull[:, None]
        by_logit[rows, action] -= pull
        surprise = np.where(mask, logs, 0)
        by_logit += ENTROPY * chances * (surprise - (chances * surprise).sum(axis=1, keepdims=True))
        by_value = (forecast - target)[:, None]
        by_hidden = (by_logit @ self.weights["policy"].T + by_value @ self.weights["value"].T) * (1 - hidden**2)
        gradients = {
            "in": ((seen - self.mean) * self.scale).T @ by_hidden,
            "in_bias": by_hidden.sum(axis=0),
            "policy": hidden.T @ by_logit,
            "policy_bias": by_logit.sum(axis=0),
            "value": hidden.T @ by_value,
            "value_bias": by_value.sum(axis=0),
        }
        self.adam(gradients, rate, len(action))

    def adam(self, gradients, rate, samples):
        self.updates += 1
        for name, gradient in gradients.items():
            first, second = self.moments[name]
            slope = gradient / samples
            first += 0.1 * (slope - first)
            second += 0.001 * (slope**2 - second)
            steps = first / (1 - 0.9**self.updates), second / (1 - 0.999**self.updates)
            self.weights[name] -= (rate * steps[0] / (np.sqrt(steps[1]) + 1e-8)).astype(np.float32)


class Match:
    """One game of the network against the bot, one action of the network at a time."""

    def __init__(self, cardset, bot):
        self.env = parallel_env(cardset, 2, reward="win")
        self.bot = bot
        part = next(part for part in self.env.encoder.parts() if part.name == "scores")
        self.scores = slice(part.start, part.start + 2)

    def start(self, seed, seat):
        """Deal, with the network at `seat`."""
        self.seed, self.agent, self.other = seed, f"seat_{seat}", f"seat_{1 - seat}"
        self.seen, _ = self.env.reset(seed=seed)
        self.steps = []
        self.skip()

    def margin(self):
        own, other = self.seen[self.agent]["observation"][self.scores]
        return float(own - other)

    def skip(self):
        """Go on to the next real choice of the network."""
        while self.env.agents and self.seen[self.agent]["action_mask"].sum() == 1:
            self.act(int(self.seen[self.agent]["action_mask"].argmax()))

    def act(self, action):
        """The network's action, and the bot's."""
        actions = {self.agent: action, self.other: self.answer()}
        self.seen, rewards, *_ = self.env.step(actions)
        self.share = rewards[self.agent] + 0.5

    def answer(self):
        """The bot's action: its move is asked for once, and then played code by code."""
        table, encoder, seat = self.env.table, self.env.encoder, int(self.other[-1])
        legal = table.legal(seat)
        if legal == [encoder.done]:
            return encoder.done
        taken = table.taken.get(seat, ())
        if not taken:
            self.move = self.bot(self.seed, seat, table.seen(seat))
        return encoder.codes.index(self.move[len(taken)]) if len(taken) < len(self.move) else encoder.done


def opponent(name):
    """A bot of the package as a function of seed, seat and observation."""
    return lambda seed, seat, seen: SeatedBot.at(name, seed, seat).decide(seen).move


def play(network, matches, seeds, rng):
    """A game in every match; by the most probable actions if there is no `rng`. Shares of wins, and steps by game."""
    for number, (match, seed) in enumerate(zip(matches, seeds, strict=True)):
        match.start(seed, number % 2)
    playing = list(matches)
    while playing := [match for match in playing if match.env.agents]:
        seen = np.stack([match.seen[match.agent]["observation"] for match in playing])
        mask = np.stack([match.seen[match.agent]["action_mask"] for match in playing]).astype(bool)
        _, logs, forecast = network.forward(seen, mask)
        noise = rng.gumbel(size=logs.shape) if rng else 0
        actions = np.where(mask, logs + noise, -np.inf).argmax(axis=1)
        for row, (match, action) in enumerate(zip(playing, actions.tolist(), strict=True)):
            before = match.margin()
            match.act(action)
            match.skip()
            gain = (match.margin() - before) / POINTS
            match.steps.append((seen[row], mask[row], action, logs[row, action], forecast[row], gain))
    return [match.share for match in matches], [match.steps for match in matches]


def batch_of(games):
    """Steps with their advantages and targets, from the end of each game."""
    rows = []
    for steps in games:
        following = advantage = 0.0
        for seen, mask, action, before, forecast, gain in reversed(steps):
            advantage = gain + following - forecast + LAMBDA * advantage
            following = forecast
            rows.append((seen, mask, action, before, advantage, advantage + forecast))
    columns = [np.array(column) for column in zip(*rows, strict=True)]
    advantage = columns[4]
    columns[4] = (advantage - advantage.mean()) / (advantage.std() + 1e-6)
    return columns


def train(network, matches, minutes, rng):
    """Play and learn until the time is over."""
    began, seed, shares = time.perf_counter(), 1_000_000, []
    while (spent := (time.perf_counter() - began) / (60 * minutes)) < 1:
        won, games = play(network, matches, range(seed, seed + len(matches)), rng)
        seed += len(matches)
        columns = batch_of(games)
        if not shares:  # the first games, at random, say how large the inputs are
            network.mean = columns[0].mean(axis=0)
            network.scale = 1 / np.maximum(columns[0].std(axis=0), 0.1)
        else:
            for _ in range(EPOCHS):
                order = rng.permutation(len(columns[0]))
                for start in range(0, len(order), SAMPLES):
                    chosen = order[start : start + SAMPLES]
                    network.learn([column[chosen] for column in columns], RATE * max(1 - spent, 0.05))
        shares += won
        if len(shares) // len(matches) % 20 == 0:
            print(f"{len(shares):7} games: {np.mean(shares[-20 * len(matches) :]):.3f} of the last games", flush=True)


def main():
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--cardset", default="sushi_go")
    parser.add_argument("--bot", default="greedy")
    parser.add_argument("--minutes", type=float, default=4)
    parser.add_argument("--games", type=int, default=EVALUATION, help="to judge the result by")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()

    rng = np.random.default_rng(arguments.seed)
    matches = [Match(arguments.cardset, opponent(arguments.bot)) for _ in range(GAMES)]
    encoder = matches[0].env.encoder
    network = Network(encoder.length, encoder.done + 1, rng)
    train(network, matches, arguments.minutes, rng)
    shares = []
    while len(shares) < arguments.games:
        shares += play(network, matches, range(len(shares), len(shares) + len(matches)), None)[0]
    half = 1.96 * np.std(shares) / math.sqrt(len(shares))
    print(f"win share against {arguments.bot}: {np.mean(shares):.3f} ± {half:.3f} ({len(shares)} games)")


if __name__ == "__main__":
    main()
