"""The filtered data sets of seed 1: the same bytes wherever they are made."""
import hashlib
import pathlib

CHECKSUMS = {
    "triangles": "e24a55a3d468082335a66f321d4883c0f0eaee80ab75b82dbea79104caf10caa",
    "clique-distance": "e9160315f78df9ee0ab828db3aa89e5476b562c10826eb733d29aea49167edca",
}


def checksum(folder):
    """SHA-256 of the graphs of all splits, one after the other."""
    digest = hashlib.sha256()
    for split in ("train", "valid", "test"):
        digest.update((pathlib.Path(folder) / f"{split}.tsv").read_bytes())
    return digest.hexdigest()


if __name__ == "__main__":  # pinned.py TASK FOLDER: exit code 1 unless they agree
    import sys
    task, folder = sys.argv[1:]
    found = checksum(folder)
    print(f"{task}: {found}")
    sys.exit(found != CHECKSUMS[task])
