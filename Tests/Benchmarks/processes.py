"""Processes under measurement: pinned to a core, their CPU time and memory read from /proc."""

import os
import signal
import socket
import subprocess
import time
import urllib.request

TICKS = os.sysconf("SC_CLK_TCK")
LOG = os.path.abspath(".bench/server.log")


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def stat(process):
    """Parent and CPU seconds, of all threads and of children that have been waited for."""
    with open(f"/proc/{process}/stat") as file:
        fields = file.read().rpartition(")")[2].split()
    return int(fields[1]), sum(int(field) for field in fields[11:15]) / TICKS


def cpu_seconds(*roots):
    """CPU seconds of the processes and everything below them."""
    parents, seconds = {}, {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                parents[int(name)], seconds[int(name)] = stat(name)
            except (FileNotFoundError, ProcessLookupError):
                pass

    def belongs(process):
        while process in parents:
            if process in roots:
                return True
            process = parents[process]
        return False

    return sum(seconds[process] for process in parents if belongs(process))


def memory_megabytes(process, field):
    """VmRSS, or its greatest value, VmHWM."""
    with open(f"/proc/{process}/status") as file:
        for line in file:
            if line.startswith(field + ":"):
                return int(line.split()[1]) / 1024
    raise KeyError(field)


class Server:
    """A server process on core 0; ends with the "with" statement."""

    def __init__(self, command, environment=None, ready=None, core="0"):
        self.command = ["taskset", "--cpu-list", core, *command]
        self.environment = environment or {}
        self.ready = ready

    def __enter__(self):
        self.log = open(LOG, "w")
        started = time.monotonic()
        self.process = subprocess.Popen(
            self.command, env={**os.environ, **self.environment}, stdin=subprocess.DEVNULL, stdout=self.log,
            stderr=subprocess.STDOUT, start_new_session=True)
        self.id = self.process.pid
        while self.ready and not self.answers():
            if self.process.poll() is not None or time.monotonic() - started > 30:
                self.__exit__()
                raise SystemExit(f"{' '.join(self.command)} did not start:\n{open(LOG).read()[-2000:]}")
            time.sleep(0.001)
        self.start_milliseconds = (time.monotonic() - started) * 1000
        return self

    def answers(self):
        try:
            with urllib.request.urlopen(self.ready, timeout=2) as response:
                return response.status == 200
        except OSError:
            return False

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(15)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self.log.close()
