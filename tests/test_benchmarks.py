from benchmarks import records


def test_the_benchmark_of_records_reads_what_it_plays():
    (cost,) = records.measure([records.play(seed) for seed in range(3)], rounds=1)
    assert cost.times > 0
