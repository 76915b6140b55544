def merge(intervals):
    rest = [list(interval) for interval in intervals]
    done = []
    while rest:
        low, high = rest.pop()
        again = True
        while again:
            again = False
            for other in list(rest):
                if other[0] <= high and low <= other[1]:
                    rest.remove(other)
                    low, high, again = min(low, other[0]), max(high, other[1]), True
        done.append([low, high])
    done.sort()
    return done
