"""Models and checkpoints with a checksum that is right, whatever else is wrong: anybody can compute it."""
import hashlib
import json
import struct

CHECKSUM = 64


class Sealed:
    """The parts of a file: its first line, a JSON header, and what the method wrote behind it."""

    def __init__(self, path):
        self.path = path
        self.good = path.read_bytes()
        self.kind, rest = self.good[:-CHECKSUM].split(b"\n", 1)
        size, = struct.unpack_from("<Q", rest)
        self.header_text = rest[8:8 + size].decode()
        self.header = json.loads(self.header_text)
        self.body = rest[8 + size:]

    def write(self, header=None, body=None):
        """Writes the file anew; the header is a text, or what becomes one."""
        header = self.header if header is None else header
        text = (header if isinstance(header, str) else json.dumps(header)).encode()
        whole = self.kind + b"\n" + struct.pack("<Q", len(text)) + text + (
            self.body if body is None else body)
        self.path.write_bytes(whole + hashlib.sha256(whole).hexdigest().encode())

    def restore(self):
        self.path.write_bytes(self.good)


def array(numbers, kind):
    return struct.pack(f"<Q{len(numbers)}{kind}", len(numbers), *numbers)


def read_array(body, at, kind):
    """Its numbers, and where it ends."""
    count, = struct.unpack_from("<Q", body, at)
    form = f"<{count}{kind}"
    return list(struct.unpack_from(form, body, at + 8)), at + 8 + struct.calcsize(form)
