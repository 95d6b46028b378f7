from ._bermuda import __version__
