"""Which variables are for what."""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_LED_BY = (
    *("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "FTP_PROXY", "SOCKS_PROXY", "NO_PROXY"),
    *("WS_PROXY", "WSS_PROXY", "GRPC_PROXY", "NO_GRPC_PROXY"),
)
PROXIES = (
    *_LED_BY,
    *map(str.lower, _LED_BY),
    *("npm_config_proxy", "npm_config_https_proxy", "npm_config_noproxy", "PIP_PROXY"),
)
"""How programs are led past the network that they see; `no_proxy` makes no sense without."""

NEEDED = (
    *("PATH", "HOME", "USER", "LOGNAME", "SHELL", "TERM", "PWD"),
    *("TMPDIR", "TEMP", "TMP", "LANG", "LANGUAGE", "LC_*", "TZ"),
    *("LD_LIBRARY_PATH", "DYLD_*", "PYTHON*", "VIRTUAL_ENV"),
    *("SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "COMSPEC", "PATHEXT", "USERPROFILE"),
    *("HOMEDRIVE", "HOMEPATH", "APPDATA", "LOCALAPPDATA", "PROGRAMDATA", "NUMBER_OF_PROCESSORS"),
)
"""What a process has to have to start and to find its way about."""
HARNESS = ("PYTEST_*", "COV_CORE_*", "COVERAGE_*", "TIERWISE_*")
"""What those who run the tests leave for themselves."""

XDG: Mapping[str, str] = {
    "XDG_CONFIG_HOME": ".config",
    "XDG_DATA_HOME": ".local/share",
    "XDG_STATE_HOME": ".local/state",
    "XDG_CACHE_HOME": ".cache",
}
WINDOWS: Mapping[str, str] = {
    "USERPROFILE": "",
    "APPDATA": "AppData/Roaming",
    "LOCALAPPDATA": "AppData/Local",
}

DOWNLOADS: Mapping[str, tuple[str, ...]] = {
    # Models and data.
    "HF_HUB_CACHE": ("{HF_HOME}/hub", "{cache}/huggingface/hub"),
    "HF_DATASETS_CACHE": ("{HF_HOME}/datasets", "{cache}/huggingface/datasets"),
    "TORCH_HOME": ("{cache}/torch",),
    "KERAS_HOME": ("{home}/.keras",),
    "NLTK_DATA": ("{home}/nltk_data",),
    "STANZA_RESOURCES_DIR": ("{home}/stanza_resources",),
    "SCIKIT_LEARN_DATA": ("{home}/scikit_learn_data",),
    "LLAMA_CACHE": ("{cache}/llama.cpp", "{home}/Library/Caches/llama.cpp"),
    "EASYOCR_MODULE_PATH": ("{home}/.EasyOCR",),
    # Browsers.
    "PLAYWRIGHT_BROWSERS_PATH": (
        "{cache}/ms-playwright",
        "{home}/Library/Caches/ms-playwright",
        "{home}/AppData/Local/ms-playwright",
    ),
    "SE_CACHE_PATH": ("{cache}/selenium",),
    "PUPPETEER_CACHE_DIR": ("{cache}/puppeteer",),
    # Package managers: their caches, and the file that says where packages come from.
    "PIP_CACHE_DIR": ("{cache}/pip", "{home}/Library/Caches/pip"),
    "PIP_CONFIG_FILE": ("{config}/pip/pip.conf", "{home}/.pip/pip.conf"),
    "UV_CACHE_DIR": ("{cache}/uv",),
    "UV_CONFIG_FILE": ("{config}/uv/uv.toml",),
    "UV_PYTHON_INSTALL_DIR": ("{data}/uv/python",),
    "POETRY_CACHE_DIR": ("{cache}/pypoetry", "{home}/Library/Caches/pypoetry"),
    "PRE_COMMIT_HOME": ("{cache}/pre-commit",),
    "npm_config_cache": ("{home}/.npm",),
    # Tools that are found on PATH and look for the rest of themselves below the home folder.
    "PYENV_ROOT": ("{home}/.pyenv",),
    "ASDF_DATA_DIR": ("{home}/.asdf",),
    "MISE_DATA_DIR": ("{data}/mise",),
    "CARGO_HOME": ("{home}/.cargo",),
    "RUSTUP_HOME": ("{home}/.rustup",),
    "GOPATH": ("{home}/go",),
    "GOCACHE": ("{cache}/go-build", "{home}/Library/Caches/go-build"),
    "DOCKER_CONFIG": ("{home}/.docker",),
    "MPLCONFIGDIR": ("{cache}/matplotlib",),
}
"""Where tools look for what they once downloaded: the variable, and the places it stands for."""


def is_named(name: str, patterns: Iterable[str]) -> bool:
    """Tell whether one of the names or patterns means this variable."""
    return any(fnmatchcase(name, pattern) for pattern in patterns)
