"""What running does without: PyTorch, which is for training alone, and the network."""

import subprocess
import sys


def test_the_default_policy_never_imports_pytorch():
    code = (
        "import sys, plainsight;"
        "text = plainsight.deidentify('Seen by Dr. Okafor on 3/4/2019.', key=bytes(32));"
        "assert 'Okafor' not in text and 'onnxruntime' in sys.modules and 'torch' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_importing_loads_nothing():
    heavy = "{'numpy', 're2', 'cryptography', 'plainsight.pipeline'}"
    code = f"import sys, plainsight; print(*{heavy} & {{*sys.modules}})"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == ""


def test_the_default_policy_opens_no_connection():
    code = (
        "import socket\n"
        "def refuse(*_, **__): raise AssertionError('a connection')\n"
        "socket.socket.connect = socket.create_connection = socket.getaddrinfo = refuse\n"
        "import plainsight\n"
        "assert 'Okafor' not in plainsight.deidentify('Seen by Dr. Okafor on 3/4/2019.', key=bytes(32))"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
