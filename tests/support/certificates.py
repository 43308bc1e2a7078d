"""Certificates of our own."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

__all__ = ["write_certificate"]


def write_certificate(folder: Path, name: str = "IP:127.0.0.1") -> None:
    """Write cert.pem and key.pem.

    Args:
        folder: where to.
        name: whose it is, as openssl wants it: IP:ADDRESS or DNS:NAME.
    """
    if shutil.which("openssl") is None:
        missing = "the command openssl is missing: apt-get install openssl"
        if os.environ.get("FANGNETZ_REQUIRE_ALL") == "1":
            pytest.fail(missing)
        pytest.skip(missing)
    command = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2"
    options = f"-subj /CN=localhost -addext subjectAltName={name} -keyout key.pem -out cert.pem"
    subprocess.run([*command.split(), *options.split()], cwd=folder, check=True, capture_output=True)
