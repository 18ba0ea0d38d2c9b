"""The crane vessel of the examples."""

from fairlead.studies.verification.checks.multibody_crane_vessel import check


def test_vessel_lies_as_its_weights_and_buoyancies_say_and_loses_no_energy():
    """Heel 1e-7 rad, height 1e-6 m at rest; energy to 1e-3 of the largest kinetic energy in waves."""
    for record in check():
        assert record.passed, f"{record.name}: {record.value} against {record.reference}"
