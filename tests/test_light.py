"""What running does without: PyTorch is for training alone."""

import subprocess
import sys


def test_the_default_policy_never_imports_pytorch():
    code = (
        "import sys, plainsight;"
        "text = plainsight.deidentify('Seen by Dr. Okafor on 3/4/2019.', key=bytes(32));"
        "assert 'Okafor' not in text and 'onnxruntime' in sys.modules and 'torch' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
