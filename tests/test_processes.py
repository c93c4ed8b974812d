import platform
import signal
import subprocess
import sys

from abstain.processes import identity, is_dead, stop


def test_a_process_is_dead_once_it_has_ended():
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    tags = identity(child.pid)
    assert (tags["host"], tags["pid"]) == (platform.node(), str(child.pid))
    assert not is_dead(tags)
    child.kill()
    child.wait()
    assert is_dead(tags)


def test_a_process_that_took_the_number_of_another_is_not_that_one():
    assert is_dead(identity() | {"pid.started": "1"})


def test_nobody_here_can_call_a_process_of_another_machine_dead():
    assert not is_dead(identity() | {"host": "another-machine", "pid": "999999999"})
    assert not is_dead({})


def test_others_are_asked_to_end_and_waited_for_but_neither_ourselves_nor_another_machine():
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    elsewhere = identity(child.pid) | {"host": "another-machine"}
    stop([identity(), elsewhere, {}], patience=0.2)
    assert child.poll() is None
    stop([identity(), identity(child.pid)])
    assert child.wait() == -signal.SIGTERM


def test_what_does_not_end_is_left_alone_after_a_while():
    child = subprocess.Popen(
        [
            sys.executable,
            "-c",
            "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); print(1, flush=True); input()",
        ],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    child.stdout.readline()
    stop([identity(child.pid)], patience=0.3)
    assert child.poll() is None
    child.kill()
    child.communicate()
