"""A server that systemd starts: sockets that are open already (sd_listen_fds), and news of its state (sd_notify)."""

import fcntl
import os
import select
import socket
import urllib.request

from clients import connect
from support import PATIENCE, Case, run_zonekit


class Passing:
    """Listening sockets as systemd passes them: from descriptor 3 on, with names in the environment."""

    def __init__(self, case, **sockets):
        self.names, self.sockets = list(sockets), list(sockets.values())
        for each in self.sockets:
            case.addCleanup(each.close)

    def prefix(self):
        """A command that runs the program with these sockets. The shell that becomes the program has its number already."""
        moves = " ".join(f"{3 + place}<&{each.fileno()}" for place, each in enumerate(self.sockets))
        names = {"LISTEN_FDS": str(len(self.sockets)), "LISTEN_FDNAMES": ":".join(self.names)}
        words = [f"{name}={value}" for name, value in names.items()]
        return ("env", *words, "bash", "-c", f'LISTEN_PID=$$ exec "$@" {moves}', "bash")


def listening(address="127.0.0.1", family=socket.AF_INET):
    made = socket.socket(family, socket.SOCK_STREAM)
    made.bind(address if family == socket.AF_UNIX else (address, 0))
    made.listen()
    with made:
        # The shell moves it to a descriptor from 3 on, where no other one may be that it still has to move.
        return socket.socket(fileno=fcntl.fcntl(made.fileno(), fcntl.F_DUPFD_CLOEXEC, 64))


class Sockets(Case):
    def start(self, passing, http="systemd:http", push="systemd:push"):
        descriptors = [each.fileno() for each in passing.sockets]
        return self.serve(None, http=http, push=push, prefix=passing.prefix(), pass_fds=descriptors)

    def test_passed_sockets_are_served(self):
        http, push = listening(), listening()
        server = self.start(Passing(self, other=listening(), push=push, http=http))
        self.assertEqual(server.http, "%s:%d" % http.getsockname())
        self.assertEqual(server.push, "%s:%d" % push.getsockname())
        with urllib.request.urlopen(f"http://{server.http}/health", timeout=10) as answer:
            self.assertEqual(answer.status, 200)
        self.keep(server.push_client(user="nanny", device="d")).welcomed()

    def test_a_client_that_came_before_the_server_is_answered(self):
        http = listening()
        early = self.keep(connect("%s:%d" % http.getsockname()))
        early.sendall(b"GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        self.start(Passing(self, http=http), push="127.0.0.1:0")
        early.settimeout(PATIENCE)
        self.assertTrue(early.recv(1000).startswith(b"HTTP/1.1 200 OK\r\n"))

    def test_unix_sockets_can_be_passed_and_stay(self):
        path = str(self.folder() / "push")
        server = self.start(Passing(self, push=listening(path, socket.AF_UNIX)), http="127.0.0.1:0")
        self.assertEqual(server.push, f"unix:{path}")
        self.keep(server.push_client(user="nanny", device="d")).welcomed()
        self.assertEqual(server.end(), 0)
        self.assertTrue(os.path.exists(path), "the socket belongs to systemd")

    def test_a_socket_that_is_not_passed_is_an_error_in_words(self):
        done = run_zonekit("serve", "--http", "systemd:http", data=self.folder() / "data")
        self.assertEqual(done.returncode, 2)
        self.assertIn("started without sockets", done.stderr)
        self.assertIn("FileDescriptorName=http", done.stderr)

    def test_an_open_server_is_refused_on_a_passed_socket_of_the_network(self):
        passing = Passing(self, http=listening("0.0.0.0"))
        with self.assertRaisesRegex(AssertionError, "not loopback"):
            self.start(passing, push="127.0.0.1:0")

    def test_one_socket_is_not_for_both(self):
        with self.assertRaisesRegex(AssertionError, "the same socket"):
            self.start(Passing(self, both=listening()), http="systemd:both", push="systemd:both")


class Notifications(Case):
    def hear(self):
        """What the manager hears next."""
        if not select.select([self.manager], [], [], PATIENCE)[0]:
            raise AssertionError(f"nothing within {PATIENCE} s")
        return self.manager.recv(4096).decode().split("\n")

    def start(self, name, **environment):
        self.manager = self.keep(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM))
        self.manager.bind(name.replace("@", "\0"))
        words = [f"{key}={value}" for key, value in {"NOTIFY_SOCKET": name, **environment}.items()]
        return self.serve(None, prefix=("env", *words))

    def test_the_manager_hears_that_the_server_is_ready_and_that_it_ends(self):
        server = self.start(str(self.folder() / "notify"))
        self.assertEqual(self.hear(), ["READY=1", f"STATUS=serving requests at {server.http}"])
        self.assertEqual(server.end(), 0)
        self.assertEqual(self.hear(), ["STOPPING=1"])

    def test_the_name_may_be_abstract(self):
        server = self.start(f"@zonekit-test-{os.getpid()}")
        self.assertEqual(self.hear()[0], "READY=1")
        self.assertEqual(server.end(), 0)

    def test_the_watchdog_hears_that_the_server_is_alive(self):
        self.start(str(self.folder() / "notify"), WATCHDOG_USEC="200000")
        self.assertEqual(self.hear()[0], "READY=1")
        for _ in range(3):
            self.assertEqual(self.hear(), ["WATCHDOG=1"])

    def test_a_manager_that_does_not_listen_is_no_trouble(self):
        server = self.serve(None, prefix=("env", f"NOTIFY_SOCKET={self.folder()}/nobody"))
        self.assertEqual(server.end(), 0)
