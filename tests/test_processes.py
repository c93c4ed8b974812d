import platform
import subprocess
import sys

from abstain.processes import identity, is_dead


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
