"""Renders findings as text for people, and as JSON and SARIF for programs."""
