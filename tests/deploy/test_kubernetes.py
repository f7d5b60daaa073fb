"""The Kubernetes manifests fit the published schemas, each other and the server."""

import copy
import re
from pathlib import Path

import kubernetes_validate
import pytest
from manifests import IMAGE, ROOT, documents, serve_variables

FOLDER = ROOT / "deploy/kubernetes"
KUSTOMIZATIONS = sorted(FOLDER.glob("*/kustomization.yaml"))
FILES = sorted(path for path in FOLDER.glob("*/*.yaml") if path not in KUSTOMIZATIONS)
OBJECTS = [(path, found) for path in FILES for found in documents(path)]
VERSIONS = ("1.30", "1.37")
"""The oldest and the newest version that we check."""


def one(kind: str, name: str = "tablee") -> dict:
    (found,) = [each for _, each in OBJECTS if each["kind"] == kind and each["metadata"]["name"] == name]
    return found


def pod(name: str = "tablee") -> dict:
    return one("Deployment", name)["spec"]["template"]["spec"]


def container(name: str = "tablee") -> dict:
    (found,) = pod(name)["containers"]
    return found


def settings() -> dict[str, str]:
    """Return the literals of the generated ConfigMap."""
    (base,) = documents(FOLDER / "base/kustomization.yaml")
    (generator,) = base["configMapGenerator"]
    assert generator["name"] == container()["envFrom"][0]["configMapRef"]["name"]
    return dict(literal.split("=", 1) for literal in generator["literals"])


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize(("path", "found"), OBJECTS, ids=[f"{path.stem}-{o['kind']}" for path, o in OBJECTS])
def test_a_manifest_fits_the_schema(path, found, version):
    kubernetes_validate.validate(found, version, strict=True)


def test_the_schema_finds_a_mistake():
    wrong = copy.deepcopy(one("Deployment"))
    wrong["spec"]["template"]["spec"]["containers"][0]["readynessProbe"] = {}
    with pytest.raises(kubernetes_validate.ValidationError, match="readynessProbe"):
        kubernetes_validate.validate(wrong, VERSIONS[-1], strict=True)


@pytest.mark.parametrize("path", KUSTOMIZATIONS, ids=lambda path: path.parent.name)
def test_a_kustomization_names_every_file_of_its_folder(path):
    (found,) = documents(path)
    here = {file.name for file in path.parent.glob("*.yaml")} - {path.name}
    assert {name for name in found["resources"] if not name.startswith("..")} == here
    assert all((path.parent / name).exists() for name in found["resources"])


def test_labels_and_ports_lead_to_the_pods():
    for name in ("tablee", "nats"):
        deployment = one("Deployment", name)["spec"]
        labels = deployment["template"]["metadata"]["labels"]
        ports = {port["name"]: port["containerPort"] for port in container(name)["ports"]}
        service = one("Service", name)["spec"]
        assert deployment["selector"]["matchLabels"] == labels == service["selector"]
        assert one("NetworkPolicy", name)["spec"]["podSelector"]["matchLabels"] == labels
        assert all(port["targetPort"] in ports for port in service["ports"])
        for rule in one("NetworkPolicy", name)["spec"]["ingress"]:
            assert all(port["port"] in ports for port in rule["ports"])
    assert one("PodDisruptionBudget")["spec"]["selector"]["matchLabels"] == {"app": "tablee"}
    (rule,) = one("Ingress")["spec"]["rules"]
    backend = rule["http"]["paths"][0]["backend"]["service"]
    assert backend["name"] == one("Service")["metadata"]["name"]
    assert backend["port"]["name"] in {port["name"] for port in one("Service")["spec"]["ports"]}
    assert rule["host"] in one("Ingress")["spec"]["tls"][0]["hosts"]


def test_the_bus_is_the_service_of_nats():
    host, port = re.fullmatch(r"nats://([a-z]+):(\d+)", settings()["TABLEE_BUS"]).groups()
    assert int(port) in {each["port"] for each in one("Service", host)["spec"]["ports"]}
    (to_nats, *_) = one("NetworkPolicy")["spec"]["egress"]
    assert to_nats["to"][0]["podSelector"]["matchLabels"] == one("Service", host)["spec"]["selector"]


def test_every_variable_is_an_option_of_serve():
    names = {*settings(), *(variable["name"] for variable in container()["env"])}
    assert names <= serve_variables()
    assert {"TABLEE_DATABASE", "TABLEE_BUS", "TABLEE_ADMIN_TOKEN", "TABLEE_WORKERS"} <= names


def test_secrets_come_by_reference():
    """docs/hosting.md makes the secret with exactly these keys."""
    references = [variable["valueFrom"]["secretKeyRef"] for variable in container()["env"]]
    page = (ROOT / "docs/hosting.md").read_text()
    (command,) = re.findall(r"kubectl create secret generic (?:.*\\\n)*.*", page)
    assert {reference["name"] for reference in references} == set(re.findall(r"generic (\S+)", command))
    assert {reference["key"] for reference in references} == set(re.findall(r"--from-literal=([a-z-]+)=", command))
    assert not [each for _, each in OBJECTS if each["kind"] == "Secret"]


def test_a_rolling_deploy_keeps_every_server_until_the_next_one_is_ready():
    spec = one("Deployment")["spec"]
    assert spec["replicas"] == 3
    assert spec["strategy"]["rollingUpdate"] == {"maxUnavailable": 0, "maxSurge": 1}
    assert one("PodDisruptionBudget")["spec"]["maxUnavailable"] < spec["replicas"]
    assert pod()["terminationGracePeriodSeconds"] >= int(settings()["TABLEE_DRAIN_SECONDS"]) + 10
    probes = {name: container()[name] for name in ("startupProbe", "readinessProbe", "livenessProbe")}
    paths = {name: probe["httpGet"]["path"] for name, probe in probes.items()}
    assert paths == {"startupProbe": "/readyz", "readinessProbe": "/readyz", "livenessProbe": "/healthz"}
    ready, live = probes["readinessProbe"], probes["livenessProbe"]
    noticed = ready["periodSeconds"] * ready["failureThreshold"]
    assert noticed < int(settings()["TABLEE_DRAIN_SECONDS"]), "nobody is sent here before the server closes"
    assert live["periodSeconds"] * live["failureThreshold"] >= 120, "a database that restarts restarts no server"


@pytest.mark.parametrize("name", ["tablee", "nats"])
def test_a_pod_has_no_privileges(name):
    assert pod(name)["securityContext"]["runAsNonRoot"] is True
    assert container(name)["securityContext"] == {
        "allowPrivilegeEscalation": False,
        "readOnlyRootFilesystem": True,
        "capabilities": {"drop": ["ALL"]},
    }
    assert pod(name)["automountServiceAccountToken"] is False
    assert container(name)["resources"].keys() == {"requests", "limits"}


def test_the_links_to_services_do_not_set_our_options():
    """Kubernetes sets TABLEE_PORT=tcp://… for a Service that is called tablee."""
    service = one("Service")["metadata"]["name"]
    assert f"{service.upper()}_PORT" in serve_variables()
    assert pod()["enableServiceLinks"] is False


def test_a_server_can_write_where_the_image_does():
    dockerfile = (ROOT / "Dockerfile").read_text()
    (data,) = re.findall(r"TABLEE_DATA=(\S+)", dockerfile)
    mounts = {mount["mountPath"]: mount["name"] for mount in container()["volumeMounts"]}
    assert mounts.keys() == {data, "/tmp"}
    assert sorted(mounts.values()) == sorted(volume["name"] for volume in pod()["volumes"])
    assert pod()["securityContext"]["runAsUser"] == int(re.findall(r"USER (\d+)", dockerfile)[0])
    assert container()["ports"][0]["containerPort"] == int(re.findall(r"EXPOSE (\d+)", dockerfile)[0])


def test_the_autoscaler_finds_the_deployment_and_nothing_else_sets_its_size():
    target = one("HorizontalPodAutoscaler")["spec"]["scaleTargetRef"]
    deployment = one(target["kind"], target["name"])
    assert target["apiVersion"] == deployment["apiVersion"]
    assert one("HorizontalPodAutoscaler")["spec"]["minReplicas"] == deployment["spec"]["replicas"]
    (overlay,) = documents(FOLDER / "autoscale/kustomization.yaml")
    (patch,) = overlay["patches"]
    assert patch["target"] == {"kind": "Deployment", "name": target["name"]}
    assert "op: remove" in patch["patch"]
    assert "/spec/replicas" in patch["patch"]


def test_images_have_no_registry():
    images = [container(name)["image"] for name in ("tablee", "nats")]
    assert all(IMAGE.fullmatch(image) for image in images)
    (base,) = documents(FOLDER / "base/kustomization.yaml")
    assert base["images"][0]["name"] in images


def test_the_tag_is_this_version():
    from tablee import __version__

    (base,) = documents(FOLDER / "base/kustomization.yaml")
    assert base["images"][0]["newTag"] == __version__


def test_every_file_is_read():
    assert {path.suffix for path in Path(FOLDER).rglob("*") if path.is_file()} == {".yaml"}
    assert len(FILES) + len(KUSTOMIZATIONS) == len(list(FOLDER.rglob("*.yaml")))
