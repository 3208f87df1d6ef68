"""``draftengine cache``: lists and removes files that can be made again."""


def test_what_is_kept_is_shown_and_cleared(draftengine, tmp_path):
    folder = tmp_path / "draftengine"

    def cache(*arguments):
        return draftengine("cache", *arguments, XDG_CACHE_HOME=str(tmp_path))

    assert "The cache is empty" in cache().out
    (folder / "code-1").write_bytes(bytes(2 << 20))
    (folder / "worth-1.json").write_bytes(bytes(1 << 20))
    told = cache("--json").json
    assert told["folder"] == str(folder)
    assert told["kinds"]["compiled code"] >= 2 << 20
    assert told["kinds"]["what bots have learnt"] == 1 << 20
    assert "2.0 MB  compiled code" in cache().out
    assert cache("--clear", "--limit", "1").status == 2
    assert "removed" in cache("--limit", "1").out
    assert "1.0 MB  removed" in cache("--clear").out
    assert list(folder.iterdir()) == []
