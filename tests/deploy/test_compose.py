"""compose.yaml fits the Compose specification, the Dockerfile, the Caddyfile and the server."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from manifests import IMAGE, ROOT, documents, serve_variables

FILE = ROOT / "compose.yaml"
(COMPOSE,) = documents(FILE)
SERVICES = COMPOSE["services"]
SERVERS = {name: service for name, service in SERVICES.items() if service.get("build")}


def check(path: Path) -> subprocess.CompletedProcess[str]:
    program = Path(sys.executable).with_name("check-jsonschema")
    command = [str(program), "--builtin-schema", "vendor.compose-spec", str(path)]
    return subprocess.run(command, capture_output=True, text=True)


def test_the_file_fits_the_specification():
    assert check(FILE).returncode == 0, check(FILE).stdout


def test_the_specification_finds_a_mistake(tmp_path):
    wrong = tmp_path / "compose.yaml"
    wrong.write_text(FILE.read_text().replace("depends_on:", "depend_on:"))
    assert "depend_on" in check(wrong).stdout


def test_there_are_two_servers_and_what_they_need():
    assert SERVICES.keys() == {"server-1", "server-2", "postgres", "nats", "caddy"}
    assert SERVERS.keys() == {"server-1", "server-2"}
    assert all(service["build"] == "." for service in SERVERS.values())


def test_every_reference_leads_somewhere():
    for service in SERVICES.values():
        assert set(service.get("networks", [])) <= COMPOSE["networks"].keys()
        assert set(service.get("depends_on", [])) <= SERVICES.keys()
        for volume in service.get("volumes", []):
            source = volume.split(":")[0]
            assert source in COMPOSE["volumes"] or (ROOT / source).is_file(), source
    used = {volume.split(":")[0] for service in SERVICES.values() for volume in service.get("volumes", [])}
    assert set(COMPOSE["volumes"]) <= used


def test_services_that_others_wait_for_have_a_health_check():
    waited = {
        name
        for service in SERVICES.values()
        if isinstance(needs := service.get("depends_on", {}), dict)
        for name, how in needs.items()
        if how["condition"] == "service_healthy"
    }
    assert waited == {"postgres", "nats"}
    assert all("healthcheck" in SERVICES[name] for name in waited)


@pytest.mark.parametrize("name", SERVERS)
def test_every_variable_is_an_option_of_serve(name):
    variables = SERVERS[name]["environment"]
    assert set(variables) <= serve_variables()
    assert {"TABLEE_DATABASE", "TABLEE_BUS", "TABLEE_ADMIN_TOKEN"} <= set(variables)


@pytest.mark.parametrize("name", SERVERS)
def test_a_server_shares_a_network_with_each_part_that_it_calls(name):
    server, postgres = SERVERS[name], SERVICES["postgres"]["environment"]
    user, host, database = re.fullmatch(
        r"postgresql://(\w+):\$\{POSTGRES_PASSWORD:.*\}@(\w+):5432/(\w+)", server["environment"]["TABLEE_DATABASE"]
    ).groups()
    assert (user, database) == (postgres["POSTGRES_USER"], postgres["POSTGRES_DB"])
    (bus,) = re.fullmatch(r"nats://(\w+):4222", server["environment"]["TABLEE_BUS"]).groups()
    for other in (host, bus, "caddy"):
        assert set(SERVICES[other]["networks"]) & set(server["networks"])
    assert not set(SERVICES["caddy"]["networks"]) & set(SERVICES["postgres"]["networks"])


def test_all_servers_share_the_admin_token_and_no_data_folder():
    tokens = {service["environment"]["TABLEE_ADMIN_TOKEN"] for service in SERVERS.values()}
    folders = [service["volumes"][0] for service in SERVERS.values()]
    assert len(tokens) == 1
    assert len(set(folders)) == len(folders)
    (data,) = re.findall(r"TABLEE_DATA=(\S+)", (ROOT / "Dockerfile").read_text())
    assert all(folder.endswith(f":{data}") for folder in folders)


@pytest.mark.parametrize("name", SERVERS)
def test_a_server_has_no_privileges_and_time_to_stop(name):
    server = SERVERS[name]
    assert server["read_only"] is True
    assert server["tmpfs"] == ["/tmp"]
    assert server["cap_drop"] == ["ALL"]
    assert "ports" not in server, "people come through Caddy"
    assert int(server["stop_grace_period"].removesuffix("s")) >= int(server["environment"]["TABLEE_DRAIN_SECONDS"]) + 10


def test_caddy_sends_people_to_the_port_of_every_server():
    environment = SERVICES["caddy"]["environment"]
    (port,) = re.findall(r"EXPOSE (\d+)", (ROOT / "Dockerfile").read_text())
    assert environment["TABLEE_SERVERS"].split() == [f"{name}:{port}" for name in SERVERS]
    variables = set(re.findall(r"\{\$(\w+)", (ROOT / "deploy/Caddyfile").read_text()))
    assert variables == set(environment)


def test_secrets_come_from_the_environment():
    """docs/hosting.md writes them into .env, which git ignores."""
    needed = set(re.findall(r"\$\{(\w+):\?", FILE.read_text()))
    assert needed == {"POSTGRES_PASSWORD", "TABLEE_ADMIN_TOKEN"}
    page = (ROOT / "docs/hosting.md").read_text()
    assert all(f"{name}=" in page for name in needed)
    assert "/.env" in (ROOT / ".gitignore").read_text().splitlines()


def test_images_have_no_registry():
    assert all(IMAGE.fullmatch(service["image"]) for service in SERVICES.values())
