"""What promtool does not look at: observe.py COMMAND ARGUMENT... ends with 1 and tells, when something is wrong.

settings OUT NAME=PORT...     writes Prometheus's settings for services on loopback instead of those found by name
places                        the services and ports that Prometheus looks for are those of compose.yaml
cases                         each alert has a case in which it fires and one in which it does not
served ALERTS PROMETHEUS      what each alert selects is there, asked of a running Prometheus
named PROMETHEUS              each metric that README.md names is there
noticed PROMETHEUS ALERT SERVICE   the alert waits or fires for that service and for no other
"""

import json
import re
import sys
import urllib.parse
import urllib.request

import yaml

observe = "docker/observe/"


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def alerts(path=observe + "alerts.yml"):
    return {rule["alert"]: rule["expr"] for group in yaml.safe_load(read(path))["groups"] for rule in group["rules"]}


def looked_up():
    """Name and port of each service."""
    (job,) = yaml.safe_load(read(observe + "prometheus.yml"))["scrape_configs"]
    return {name: entry["port"] for entry in job["dns_sd_configs"] for name in entry["names"]}


def ask(prometheus, path, **query):
    address = f"http://127.0.0.1:{prometheus}/api/v1/{path}?{urllib.parse.urlencode(query)}"
    with urllib.request.urlopen(address, timeout=10) as answer:
        return json.load(answer)["data"]


def settings(out, *ports):
    values = yaml.safe_load(read(observe + "prometheus.yml"))
    values["global"] = {"scrape_interval": "2s", "scrape_timeout": "2s", "evaluation_interval": "1s"}
    (job,) = values["scrape_configs"]
    found = job.pop("dns_sd_configs")
    ports = dict(port.split("=") for port in ports)
    # The label that looking names up sets, so that what is made of it is tested too.
    job["static_configs"] = [
        {"targets": [f"127.0.0.1:{ports[name]}"], "labels": {"__meta_dns_name": name}}
        for entry in found
        for name in entry["names"]
    ]
    with open(out, "w", encoding="utf-8") as file:
        yaml.safe_dump(values, file)
    return []


def places():
    text = read("compose.yaml")
    wanted = {name: int(port) for name, port in re.findall(r"^  [A-Z]+_URL: http://([a-z]+):(\d+)$", text, re.M)}
    if wanted != looked_up():
        yield f"compose.yaml has {wanted}, Prometheus looks for {looked_up()}"
    if yaml.safe_load(text)["services"]["prometheus"]["profiles"] != ["observe"]:
        yield "Prometheus is not in the profile observe"


def cases():
    seen = {True: set(), False: set()}
    for test in yaml.safe_load(read(observe + "alerts.test.yml"))["tests"]:
        for case in test["alert_rule_test"]:
            seen[bool(case["exp_alerts"])].add(case["alertname"])
    for fires, names in seen.items():
        for name in sorted(alerts().keys() - names):
            yield f"no case in which {name} {'fires' if fires else 'does not fire'}"
        for name in sorted(names - alerts().keys()):
            yield f"a case of {name}, which does not exist"


words = set("and or unless by without on ignoring group_left group_right bool offset".split())
selector = re.compile(r"(?<![\w.])([a-z_][a-zA-Z0-9_:]*)(\{[^}]*\})?(?!\w|\s*\()")


def selectors(expression):
    """Metrics with their matchers. That requests failed with 5xx is not to be asked of healthy services."""
    expression = re.sub(r"\b(by|without|on|ignoring)\s*\([^)]*\)", " ", expression)
    expression = re.sub(r"\[[^\]]*\]", "", expression)
    for name, matchers in selector.findall(expression):
        if name not in words:
            yield name + re.sub(r'status=~"5\.\.",? ?', "", matchers)


def served(path, prometheus):
    for name, expression in alerts(path).items():
        found = list(selectors(expression))
        if not found:
            yield f"{name} selects nothing: {expression}"
        for wanted in found:
            if not ask(prometheus, "query", query=wanted)["result"]:
                yield f"{name}: nothing serves {wanted}"
            # A name behind != or !~ that nothing has excludes nothing.
            for value in re.findall(r'endpoint!~"([^"]*)"', wanted):
                for endpoint in value.split("|"):
                    if not ask(prometheus, "query", query=f'madang_requests_total{{endpoint="{endpoint}"}}')["result"]:
                        yield f"{name}: there is no endpoint {endpoint}"


def named(prometheus):
    names = set(re.findall(r"\b(?:madang|process)_[a-z_]+\b", read("README.md")))
    if not names:
        yield "README.md names no metric"
    for name in sorted(names):
        if not ask(prometheus, "query", query=f'{{__name__=~"{name}(_bucket)?"}}')["result"]:
            yield f"README.md names {name}, which nothing serves"


def noticed(prometheus, alert, service):
    found = [entry["labels"] for entry in ask(prometheus, "alerts")["alerts"]]
    if [labels["service"] for labels in found if labels["alertname"] == alert] != [service]:
        yield f"not {alert} for {service}, but {found}"


faults = list(globals()[sys.argv[1]](*sys.argv[2:]))
for fault in faults:
    print(fault)
sys.exit(1 if faults else 0)
