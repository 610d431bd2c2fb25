"""The estimate is an upper bound on what real vocabularies count, for code, prose and other scripts."""

from __future__ import annotations

import random
import string
from collections.abc import Callable
from pathlib import Path

import pytest

from sctx_tui.payload.tokens import _costs, estimate

ROOT = Path(__file__).resolve().parents[2]
Count = Callable[[str], int]

PROSE = {
    "English": "The resolver reads every file on the way up, and says why an entry doesn't apply. ",
    "German": "Der Zahlungsverkehr über die Landesgrenze unterliegt besonderen Prüfungspflichten. ",
    "French": "L'entrée est exclue parce qu'un motif plus précis l'emporte sur le premier. ",
    "Polish": "Wszystkie wartości pieniężne są liczbami całkowitymi wyrażonymi w groszach. ",
    "Turkish": "Değişiklikten sonra çağıranların yeniden gözden geçirilmesi gerekmektedir. ",
    "Finnish": "Muutoksen jälkeen kutsujat on tarkistettava uudelleen ennen julkaisemista. ",
    "Vietnamese": "Mọi giá trị tiền tệ đều là số nguyên tính bằng xu, không dùng số thực. ",
    "Russian": "Все денежные значения хранятся как целые числа в копейках. ",
    "Greek": "Όλες οι χρηματικές τιμές είναι ακέραιοι αριθμοί σε λεπτά. ",
    "Hebrew": "כל הערכים הכספיים הם מספרים שלמים באגורות. ",
    "Arabic": "جميع القيم النقدية أعداد صحيحة بالسنتات. ",
    "Hindi": "सभी मौद्रिक मान सेंट में पूर्णांक होते हैं। ",
    "Thai": "ค่าเงินทั้งหมดเป็นจำนวนเต็มในหน่วยเซ็นต์ ",
    "Chinese": "所有金额都是以分为单位的整数，不使用浮点数。",
    "Japanese": "金額はすべてセント単位の整数であり、浮動小数点数は使わない。",
    "Korean": "모든 금액은 센트 단위의 정수이며 부동소수점을 쓰지 않는다. ",
    "Tamil": "அனைத்து பண மதிப்புகளும் சென்ட்களில் முழு எண்கள். ",
    "Armenian": "Բոլոր դրամական արժեքները ամբողջ թվեր են։ ",
    "emoji": "🚀✅🔥🧪👩‍💻📦",
}


@pytest.mark.parametrize("language", PROSE)
def test_prose(language: str, real: Count) -> None:
    text = PROSE[language] * 20
    assert real(text) <= estimate(text)


SOURCES = sorted((ROOT / "sctx_tui").rglob("*.py")) + sorted((ROOT / "sctx_tui").rglob("*.scm"))


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_our_own_code(path: Path, real: Count) -> None:
    text = path.read_text(encoding="utf-8")
    assert real(text) <= estimate(text) <= 3 * real(text) + 10


ALPHABETS = {
    "hexadecimal": "0123456789abcdef",
    "base64": string.ascii_letters + string.digits + "+/",
    "letters": string.ascii_lowercase,
    "capitals": string.ascii_uppercase,
    "mixed case": string.ascii_letters,
    "signs": string.punctuation,
    "digits": string.digits,
    "printable": string.printable,
}


@pytest.mark.parametrize("name", ALPHABETS)
def test_noise(name: str, real: Count) -> None:
    choose = random.Random(name)
    words = ["".join(choose.choices(ALPHABETS[name], k=choose.randrange(1, 40))) for _ in range(400)]
    text = " ".join(words)
    assert real(text) <= estimate(text)


BLOCKS = {
    "basic plane": (*range(0xA0, 0xD800), *range(0xE000, 0xFFF0)),
    "Latin with marks": range(0xA0, 0x250),
    "Cyrillic": range(0x400, 0x500),
    "Chinese": range(0x4E00, 0x9FA0),
    "Korean": range(0xAC00, 0xD7A4),
    "pictures": range(0x1F300, 0x1FA00),
}


@pytest.mark.parametrize("name", BLOCKS)
def test_rare_characters(name: str, real: Count) -> None:
    choose = random.Random(name)
    text = "".join(map(chr, choose.choices(BLOCKS[name], k=3000)))
    assert real(text) <= estimate(text)


def test_white_space(real: Count) -> None:
    choose = random.Random(1)
    text = "x".join("".join(choose.choices(" \n", k=choose.randrange(60))) for _ in range(300))
    assert real(text) <= estimate(text)


def test_the_table_of_characters_is_what_the_vocabularies_say(real: Count) -> None:
    """To make it anew: `zlib.compress` of these bytes into character_costs.zlib."""
    lone = range(0xD800, 0xE000)  # no text has them; three bytes where something else puts them
    assert _costs() == bytes(3 if code in lone else real(chr(code)) for code in range(0x10000))


def test_empty() -> None:
    assert estimate("") == 0
