"""The contract between generated packages and this one: those of one minor version belong together."""

VERSION = "0.1.0"


def needs(package: str, wanted: str) -> None:
    """Raises ImportError where a package was generated for another version than this one; packages call it first."""
    if not VERSION.startswith(f"{wanted}."):
        raise ImportError(
            f"{package} needs aldis of version {wanted}, and this is {VERSION}: generate it again, or install aldis {wanted}"
        )
