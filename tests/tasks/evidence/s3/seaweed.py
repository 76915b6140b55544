"""A real S3-compatible server on loopback: SeaweedFS, as one process with a directory of its own."""

from __future__ import annotations

import ctypes
import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

ACCESS, SECRET = "evidence-writer", "not-a-secret-but-never-logged"
READY_SECONDS = 60.0


class Seaweed:
    """The server; `kill`, `freeze` and `thaw` are the outages, and data outlive them."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.ports = free_ports(8)
        self.endpoint = f"http://127.0.0.1:{self.ports[0]}"
        self._process: subprocess.Popen[bytes] | None = None
        (home / "data").mkdir()
        identity = {"name": "writer", "credentials": [{"accessKey": ACCESS, "secretKey": SECRET}]}
        rights = {"actions": ["Admin", "Read", "Write", "List", "Tagging"]}
        (home / "s3.json").write_text(json.dumps({"identities": [identity | rights]}))

    def start(self) -> None:
        """Start it and wait, with a bound, until it has taken and given back an object."""
        s3, s3_rpc, master, master_rpc, volume, volume_rpc, filer, filer_rpc = self.ports
        options = {
            "dir": self.home / "data",
            "ip": "127.0.0.1",
            "ip.bind": "127.0.0.1",
            "master.port": master,
            "master.port.grpc": master_rpc,
            "master.telemetry": "false",  # it would report to its makers
            "master.electionTimeout": "1s",
            "master.volumeSizeLimitMB": 64,
            "master.volumePreallocate": "false",
            "volume.port": volume,
            "volume.port.grpc": volume_rpc,
            "volume.max": 100,
            "volume.preStopSeconds": 0,
            "filer": "true",
            "filer.port": filer,
            "filer.port.grpc": filer_rpc,
            "filer.localSocket": self.home / "filer.sock",
            "s3": "true",
            "s3.port": s3,
            "s3.port.grpc": s3_rpc,
            "s3.port.iceberg": 0,
            "s3.port.lance": 0,
            "s3.iam": "false",
            "s3.config": self.home / "s3.json",
            "s3.localSocket": self.home / "s3.sock",
            "s3.autoCreateBucket": "false",
        }
        command = [str(Path(sys.executable).parent / "weed"), "-logtostderr", "server"]
        command += [f"-{name}={value}" for name, value in options.items()]
        # One volume per bucket at first, not seven: the many buckets of the tests would use up the slots.
        environment = dict(os.environ, WEED_MASTER_VOLUME_GROWTH_COPY_1="1", GOMEMLIMIT="512MiB")
        with (self.home / "log").open("ab") as log:
            self._process = subprocess.Popen(
                command,
                stdout=log,
                stderr=log,
                env=environment,
                cwd=self.home,
                preexec_fn=die_with_the_tests,  # noqa: PLW1509 - one system call, no lock to inherit
            )
        self._wait()

    def client(self) -> Any:
        """A plain client, the adversary's way in."""
        import boto3
        from botocore.config import Config

        config = Config(connect_timeout=2, read_timeout=10, retries={"total_max_attempts": 2})
        return boto3.client(
            "s3",
            endpoint_url=self.endpoint,
            aws_access_key_id=ACCESS,
            aws_secret_access_key=SECRET,
            region_name="us-east-1",
            config=config,
        )

    def freeze(self) -> None:
        """It stops answering, and its connections stay open."""
        self._signal(signal.SIGSTOP)

    def thaw(self) -> None:
        self._signal(signal.SIGCONT)

    def kill(self) -> None:
        self._signal(signal.SIGKILL)
        self._wait_for_its_end()

    def stop(self) -> None:
        if self._process is not None and self._process.poll() is None:
            self.thaw()
            self.kill()

    def _signal(self, number: int) -> None:
        assert self._process is not None
        self._process.send_signal(number)

    def _wait_for_its_end(self) -> None:
        assert self._process is not None
        self._process.wait(30)

    def _wait(self) -> None:
        assert self._process is not None
        until = time.monotonic() + READY_SECONDS
        while not self._ready():
            if self._process.poll() is not None or time.monotonic() > until:
                self.stop()
                raise RuntimeError("SeaweedFS did not start:\n" + (self.home / "log").read_text("utf-8")[-3_000:])
            time.sleep(0.05)

    def _ready(self) -> bool:
        from botocore.exceptions import BotoCoreError, ClientError

        connection = http.client.HTTPConnection("127.0.0.1", self.ports[0], timeout=2)
        try:
            connection.request("GET", "/healthz")
            if connection.getresponse().status != 200:
                return False
            client = self.client()
            if "warm" not in [bucket["Name"] for bucket in client.list_buckets()["Buckets"]]:
                client.create_bucket(Bucket="warm")
            client.put_object(Bucket="warm", Key="warm", Body=b"warm")
            return bool(client.get_object(Bucket="warm", Key="warm")["Body"].read() == b"warm")
        except (OSError, http.client.HTTPException, BotoCoreError, ClientError):
            return False
        finally:
            connection.close()


def free_ports(count: int) -> list[int]:
    """Ports that were free a moment ago, all open at once so that they differ."""
    sockets = [socket.socket() for _ in range(count)]
    try:
        for item in sockets:
            item.bind(("127.0.0.1", 0))
        return [item.getsockname()[1] for item in sockets]
    finally:
        for item in sockets:
            item.close()


def die_with_the_tests() -> None:
    """PR_SET_PDEATHSIG: the server does not outlive tests that are killed."""
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)
