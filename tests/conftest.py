"""What every tier of our own suite shares."""

pytest_plugins = ["pytester"]
