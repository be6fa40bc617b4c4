"""Hooks of schemathesis: who calls, and from where. CALLER is the e-mail address of an account and
CALLER_PASSWORD its password; USER_TOKEN and SERVICE_TOKEN live longer than the run."""
import itertools
import json
import os
import urllib.request

import schemathesis

addresses = itertools.count(1)


def log_in():
    """The access token of a new session."""
    credentials = {"email": os.environ["CALLER"], "password": os.environ["CALLER_PASSWORD"]}
    request = urllib.request.Request(
        os.environ["AUTH_URL"] + "/v1/auth/sessions",
        json.dumps(credentials).encode(),
        {"Content-Type": "application/json", "X-Forwarded-For": next_address()},
    )
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)["accessToken"]


def next_address():
    number = next(addresses)
    return f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"


@schemathesis.hook
def before_call(context, case, kwargs):
    # Some operations have limits per address, which are tested elsewhere: each call comes from another one.
    case.headers.setdefault("X-Forwarded-For", next_address())


class Bearer:
    def set(self, case, token, context):
        case.headers["Authorization"] = f"Bearer {token}"


@schemathesis.auth(refresh_interval=None).apply_to(path_regex="^/v1/").skip_for(operation_id="logOut")
class User(Bearer):
    def get(self, case, context):
        return os.environ["USER_TOKEN"]


@schemathesis.auth(refresh_interval=None).apply_to(path_regex="^/internal/")
class Service(Bearer):
    def get(self, case, context):
        return os.environ["SERVICE_TOKEN"]


@schemathesis.auth(refresh_interval=None).apply_to(operation_id="logOut")
class UserOnce(Bearer):
    """Logging out ends the session of the token."""

    def get(self, case, context):
        return log_in()
