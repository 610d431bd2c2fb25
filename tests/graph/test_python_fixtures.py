"""What pytest gives the parameters of tests."""

from __future__ import annotations

from collections.abc import Callable

Calls = Callable[[dict[str, str]], set[str]]

APP = "class App:\n    def get(self):\n        return 1\n"
CONFTEST = """
import pytest
from app import App

@pytest.fixture
def app():
    yield App()

@pytest.fixture(scope="module", params=[1, 2])
def client(app):
    app.get()
    return Client(app)

class Client:
    def open(self): pass
"""
TEST = """
import pytest

def test_both(app, client):
    app.get()
    client.open()

class TestMore:
    def test_method(self, client):
        client.open()

def test_typed(app: int, client=None):
    app.get()
    client.open()

def tools(app):
    app.get()
"""


def test_parameters_are_fixtures_of_the_nearest_conftest(calls_of: Calls) -> None:
    found = calls_of({"app.py": APP, "tests/conftest.py": CONFTEST, "tests/unit/test_a.py": TEST})
    assert found == {
        "tests/conftest.py::app -> app.py::App",
        "tests/conftest.py::client -> app.py::App.get",
        "tests/conftest.py::client -> tests/conftest.py::Client",
        "tests/unit/test_a.py::test_both -> app.py::App.get",
        "tests/unit/test_a.py::test_both -> tests/conftest.py::Client.open",
        "tests/unit/test_a.py::TestMore.test_method -> tests/conftest.py::Client.open",
    }


def test_a_module_s_own_fixture_stands_before_others(calls_of: Calls) -> None:
    made = "from pytest import fixture\n@fixture\ndef app():\n    return Own()\n"
    own = made + "class Own:\n    def get(self): pass\n"
    files = {"app.py": APP, "conftest.py": CONFTEST, "test_b.py": own + "def test_it(app):\n    app.get()\n"}
    found = {edge for edge in calls_of(files) if edge.startswith("test_b.py::test_it")}
    assert found == {"test_b.py::test_it -> test_b.py::Own.get"}
