"""Tar files that are equal byte for byte wherever and whenever they are made, and a container image made of one.

usage: archive.py tarball FOLDER FILE.tar.gz
       archive.py image PROGRAM VERSION FILE.tar

SOURCE_DATE_EPOCH is the time of everything in them, in seconds since 1970.
"""

import gzip
import hashlib
import io
import json
import os
import pathlib
import sys
import tarfile
import time

EPOCH = int(os.environ["SOURCE_DATE_EPOCH"])
ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}
# The user of the container, as of other images without a system: it is in no list of users.
USER = 65532


def entry(name, mode, kind=tarfile.REGTYPE, owner=0, size=0):
    """The head of a member that depends on nothing else."""
    member = tarfile.TarInfo(name)
    member.type, member.mode, member.mtime, member.size = kind, mode, EPOCH, size
    member.uid = member.gid = owner
    return member


def tar(members):
    """The bytes of a tar file of heads with contents."""
    output = io.BytesIO()
    with tarfile.open(fileobj=output, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for head, content in members:
            archive.addfile(head, io.BytesIO(content))
    return output.getvalue()


def compressed(content):
    output = io.BytesIO()
    with gzip.GzipFile(filename="", fileobj=output, mode="wb", compresslevel=9, mtime=EPOCH) as file:
        file.write(content)
    return output.getvalue()


def files(folder):
    """What is in a folder, in an order that does not depend on the disk."""
    for path in sorted([folder, *folder.rglob("*")]):
        name = str(path.relative_to(folder.parent))
        if path.is_dir():
            yield entry(name, 0o755, tarfile.DIRTYPE), b""
        else:
            content = path.read_bytes()
            yield entry(name, 0o755 if os.access(path, os.X_OK) else 0o644, size=len(content)), content


def tarball(folder, target):
    target.write_bytes(compressed(tar(files(folder))))


class Layout:
    """An image in the layout of the Open Container Initiative (image-spec, image-layout.md)."""

    def __init__(self):
        self.blobs = {}

    def add(self, content, media_type):
        digest = hashlib.sha256(content).hexdigest()
        self.blobs[digest] = content
        return {"mediaType": f"application/vnd.oci.image.{media_type}", "digest": f"sha256:{digest}", "size": len(content)}

    def add_json(self, document, media_type):
        return self.add(json.dumps(document, sort_keys=True, separators=(",", ":")).encode(), media_type)

    def write(self, manifest, target):
        index = {"schemaVersion": 2, "mediaType": "application/vnd.oci.image.index.v1+json", "manifests": [manifest]}
        texts = {"index.json": index, "oci-layout": {"imageLayoutVersion": "1.0.0"}}
        contents = {name: json.dumps(text, sort_keys=True).encode() for name, text in texts.items()}
        contents |= {f"blobs/sha256/{digest}": content for digest, content in self.blobs.items()}
        folders = [(entry(name, 0o755, tarfile.DIRTYPE), b"") for name in ("blobs", "blobs/sha256")]
        members = [(entry(name, 0o644, size=len(contents[name])), contents[name]) for name in sorted(contents)]
        target.write_bytes(tar(folders + members))


def image(program, version, target):
    content = program.read_bytes()
    layer = tar(
        [
            (entry("data", 0o700, tarfile.DIRTYPE, USER), b""),
            (entry("tmp", 0o1777, tarfile.DIRTYPE), b""),
            (entry("zonekit", 0o755, size=len(content)), content),
        ]
    )
    created = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(EPOCH))
    platform = {"architecture": ARCHITECTURES[os.uname().machine], "os": "linux"}
    config = {
        **platform,
        "created": created,
        "config": {
            "User": f"{USER}:{USER}",
            "ExposedPorts": {"7440/tcp": {}, "7441/tcp": {}},
            "Entrypoint": ["/zonekit"],
            "Cmd": [
                *("serve", "--data", "/data", "--http", "0.0.0.0:7440", "--push", "0.0.0.0:7441", "--auth", "strict")
            ],
            "Volumes": {"/data": {}},
            "WorkingDir": "/data",
            "Labels": {"org.opencontainers.image.title": "zonekit", "org.opencontainers.image.version": version},
        },
        "rootfs": {"type": "layers", "diff_ids": [f"sha256:{hashlib.sha256(layer).hexdigest()}"]},
        "history": [{"created": created, "created_by": "Scripts/package"}],
    }
    layout = Layout()
    manifest = {
        "schemaVersion": 2,
        "mediaType": "application/vnd.oci.image.manifest.v1+json",
        "config": layout.add_json(config, "config.v1+json"),
        "layers": [layout.add(compressed(layer), "layer.v1.tar+gzip")],
    }
    described = layout.add_json(manifest, "manifest.v1+json")
    described |= {"platform": platform, "annotations": {"org.opencontainers.image.ref.name": version}}
    layout.write(described, target)


def main(words):
    match words:
        case ["tarball", folder, target]:
            tarball(pathlib.Path(folder), pathlib.Path(target))
        case ["image", program, version, target]:
            image(pathlib.Path(program), version, pathlib.Path(target))
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
