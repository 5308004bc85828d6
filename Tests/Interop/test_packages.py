"""What `Scripts/package` puts together, without building anything: the image, the tarball and the units."""

import gzip
import io
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tarfile

from support import ROOT, Case

SUPPORT = ROOT / "Scripts" / "support" / "package"
EPOCH = 1_700_000_000


def archive(*words):
    """One run of the script that makes archives, at a fixed time."""
    command = [sys.executable, str(SUPPORT / "archive.py"), *map(str, words)]
    subprocess.run(command, check=True, timeout=60, env={**os.environ, "SOURCE_DATE_EPOCH": str(EPOCH)})


class Archives(Case):
    def program(self):
        path = self.folder() / "zonekit"
        path.write_bytes(b"a program")
        path.chmod(0o755)
        return path

    def image(self):
        target = self.folder() / "image.tar"
        archive("image", self.program(), "0.1.0", target)
        return target

    def blob(self, layout, described):
        content = layout.extractfile("blobs/sha256/" + described["digest"].removeprefix("sha256:")).read()
        self.assertEqual(len(content), described["size"])
        return content

    def test_an_image_is_equal_wherever_it_is_made(self):
        self.assertEqual(self.image().read_bytes(), self.image().read_bytes())

    def test_an_image_runs_the_program_strictly_as_a_user_without_rights(self):
        with tarfile.open(self.image()) as layout:
            self.assertEqual(json.load(layout.extractfile("oci-layout")), {"imageLayoutVersion": "1.0.0"})
            [described] = json.load(layout.extractfile("index.json"))["manifests"]
            self.assertEqual(described["annotations"], {"org.opencontainers.image.ref.name": "0.1.0"})
            manifest = json.loads(self.blob(layout, described))
            config = json.loads(self.blob(layout, manifest["config"]))
            [layer] = manifest["layers"]
            files = tarfile.open(fileobj=io.BytesIO(gzip.decompress(self.blob(layout, layer))))
        run = config["config"]
        self.assertEqual((run["User"], run["Volumes"], run["Entrypoint"]), ("65532:65532", {"/data": {}}, ["/zonekit"]))
        self.assertEqual(run["Cmd"][-2:], ["--auth", "strict"])
        members = {member.name: (oct(member.mode), member.uid, member.mtime) for member in files.getmembers()}
        self.assertEqual(
            members,
            {"data": ("0o700", 65532, EPOCH), "tmp": ("0o1777", 0, EPOCH), "zonekit": ("0o755", 0, EPOCH)},
        )
        self.assertEqual(files.extractfile("zonekit").read(), b"a program")

    def test_a_tarball_depends_on_names_and_contents_only(self):
        tarballs = []
        for names in (["b", "a"], ["a", "b"]):
            folder = self.folder() / "zonekit-0.1.0"
            (folder / "share").mkdir(parents=True)
            for name in names:
                (folder / name).write_text(name)
            os.utime(folder / "a", (1, len(tarballs)))
            target = self.folder() / "zonekit.tar.gz"
            archive("tarball", folder, target)
            tarballs.append(target.read_bytes())
        self.assertEqual(*tarballs)
        with tarfile.open(fileobj=io.BytesIO(tarballs[0])) as files:
            self.assertEqual([member.name for member in files][-1], "zonekit-0.1.0/share")

    def test_an_image_is_read_by_another_program(self):
        if not (skopeo := shutil.which("skopeo")):
            self.skip("skopeo is not installed (Debian: skopeo)")
        command = [skopeo, "inspect", "--config", f"oci-archive:{self.image()}"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(json.loads(done.stdout)["config"]["User"], "65532:65532")


class Units(Case):
    def test_the_service_is_exposed_to_little(self):
        if not (analyze := shutil.which("systemd-analyze")):
            self.skip("systemd-analyze is not installed (Debian: systemd)")
        command = [analyze, "security", "--offline=yes", "--threshold=10", "--no-pager", str(SUPPORT / "zonekit.service")]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 0, done.stdout[-500:] + done.stderr)

    def test_the_units_belong_together(self):
        service = (SUPPORT / "zonekit.service").read_text()
        for name, address in (("http", "127.0.0.1:7440"), ("push", "127.0.0.1:7441")):
            unit = "zonekit.socket" if name == "http" else "zonekit-push.socket"
            text = (SUPPORT / unit).read_text()
            self.assertIn(f"FileDescriptorName={name}\n", text)
            self.assertIn(f"ListenStream={address}\n", text)
            self.assertIn(f"--{name} systemd:{name} ", service)
            self.assertIn(unit, next(line for line in service.splitlines() if line.startswith("Sockets=")))

    def test_scripts_of_the_package_are_scripts_of_a_shell(self):
        for name in ("postinst", "prerm", "postrm"):
            path = pathlib.Path(SUPPORT / name)
            subprocess.run(["sh", "-n", str(path)], check=True, timeout=10)
            self.assertTrue(path.read_text().startswith("#!/bin/sh\n"))
