"""A worked example read from TOML, JSON or Python; built-in examples as files."""
