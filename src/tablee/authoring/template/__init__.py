from tablee.core.package import Package

from .bots import BOTS
from .rules import Chifoumi

PACKAGE = Package(rules=Chifoumi(), bots=BOTS)
