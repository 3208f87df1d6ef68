"""The *kernel*: functions that play a game on a state record, written once for every way to run it."""
