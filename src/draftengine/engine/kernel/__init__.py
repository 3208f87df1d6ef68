"""The *kernel*: functions that play a game on a state record, written once for all ways to run it."""
