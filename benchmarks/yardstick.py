{
  "yardstick_games_per_second": 25674.305386179265,
  "engines": {
    "reference engine, no events": {
      "games_per_second": 9517.8350178353,
      "ratio_to_yardstick": 0.37275653444974427
    },
    "reference engine, events and explanations": {
      "games_per_second": 1510.8987561834133,
      "ratio_to_yardstick": 0.05908031656413934
    },
    "public API: observations, values, events": {
      "games_per_second": 121.39584553213797,
      "ratio_to_yardstick": 0.0049332789970118465
    }
  },
  "startup": {
    "draftengine --help": {
      "best_seconds": 0.04974160399797256,
      "median_seconds": 0.05115912099972775
    },
    "draftengine validate": {
      "best_seconds": 0.12253173899807734,
      "median_seconds": 0.129098884499399
    }
  }
}
