"""Boards of 25 words that computers do not know."""

from __future__ import annotations

STRANGE = {
    "no words": " ".join(f"qx{chr(97 + n)}z{chr(97 + n)}" for n in range(25)),
    "two letters": "ei ui as el os ai ra zo nu ja ga en er de in op om uw me ze we je al af na",
    "German": "Schmetterling Größe Eisenbahn Übung Fußball Handschuh Zug Löffel Äpfel Brücke "
    "Teller Öl Straße Wolke Käse Mühle Zahnarzt Hähnchen Kirsche Vogel Uhr Bär Füße Ofen Türe",
    "Greek": "θάλασσα ήλιος ψάρι πλοίο βουνό σπίτι γάτα σκύλος μήλο ψωμί νερό φωτιά άνεμος δέντρο "
    "πόρτα παράθυρο τραπέζι καρέκλα βιβλίο μολύβι δρόμος τρένο γέφυρα φύλλο κόκκινο",
}
