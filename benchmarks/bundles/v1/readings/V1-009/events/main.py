def merge(intervals):
    events = sorted([(start, 0, end) for start, end in intervals])
    result = []
    current = None
    for start, _, end in events:
        if current is None:
            current = [start, end]
        elif start > current[1]:
            result.append(current)
            current = [start, end]
        elif end > current[1]:
            current[1] = end
    return result + ([current] if current else [])
