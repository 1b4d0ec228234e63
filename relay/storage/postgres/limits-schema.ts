/**
 * The counters of limits (rule SC17). A row is one sliding window: the times of its events, oldest first, and the
 * number of events at each time. For windows of many events these times are rounded up, so that a row stays small.
 *
 * Every statement locks its windows in the order of their keys before it reads them, and takes no other lock that
 * another statement holds while it waits, so no two can wait for each other in a circle. The locks end with the
 * transaction. A function is never changed, only followed by one of another name: older relays still call it.
 */
export const LIMITS_SCHEMA = `
CREATE TABLE limit_counters (
  key uuid PRIMARY KEY,
  stamps bigint[] NOT NULL,
  counts integer[] NOT NULL,
  -- Rounded up to hours, so that most changes leave the index alone.
  delete_after bigint NOT NULL
) WITH (fillfactor = 70);
CREATE INDEX limit_counters_by_delete_after ON limit_counters (delete_after);

CREATE FUNCTION limit_time(given bigint) RETURNS bigint LANGUAGE sql VOLATILE AS $$
  SELECT coalesce(given, floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint)
$$;

CREATE FUNCTION lock_limits(keys uuid[]) RETURNS void LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  lock_id integer;
BEGIN
  FOR lock_id IN
    SELECT DISTINCT ('x' || left(key::text, 8))::bit(32)::integer AS id FROM unnest(keys) AS key ORDER BY id
  LOOP
    -- Any number that nothing else in the database locks with.
    PERFORM pg_advisory_xact_lock(1280265548, lock_id);
  END LOOP;
END
$$;

CREATE TYPE limit_window AS (stamps bigint[], counts integer[], used bigint);

-- What a window holds at that time. What lies a whole span ahead was counted before the clock was set back.
CREATE FUNCTION limit_state(wanted uuid, span bigint, at_ms bigint) RETURNS limit_window
LANGUAGE plpgsql STABLE AS $$
DECLARE
  own limit_window;
  first integer := 1;
BEGIN
  SELECT c.stamps, c.counts INTO own.stamps, own.counts FROM limit_counters AS c WHERE c.key = wanted;
  WHILE abs(at_ms - own.stamps[first]) >= span LOOP
    first := first + 1;
  END LOOP;
  own.stamps := coalesce(own.stamps[first:], '{}');
  own.counts := coalesce(own.counts[first:], '{}');
  own.used := coalesce((SELECT sum(units) FROM unnest(own.counts) AS units), 0);
  RETURN own;
END
$$;

-- Milliseconds until so many events have left the window; the whole span if it never has as many.
CREATE FUNCTION limit_wait(own limit_window, leaving bigint, span bigint, at_ms bigint)
RETURNS bigint LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  left_to_go bigint := leaving;
BEGIN
  FOR place IN 1..cardinality(own.stamps) LOOP
    left_to_go := left_to_go - own.counts[place];
    IF left_to_go <= 0 THEN RETURN own.stamps[place] + span - at_ms; END IF;
  END LOOP;
  RETURN span;
END
$$;

-- Takes wants of each window, or what is left of it if that is at least needs; nothing of any if one has less. Each row
-- answers for one window: what it got, the time it counts at, what is left, and the milliseconds until there is enough.
CREATE FUNCTION take_limits(
  keys uuid[], maxes bigint[], spans bigint[], grains bigint[], needs integer[], wants integer[], given bigint
) RETURNS TABLE (granted integer, stamp bigint, remaining bigint, wait_ms bigint, at_ms bigint)
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  windows limit_window[];
  own limit_window;
  free bigint;
  is_full boolean;
BEGIN
  -- First without locks: what is refused waits for nobody and writes nothing.
  FOR pass IN 1..2 LOOP
    IF pass = 2 THEN PERFORM lock_limits(keys); END IF;
    at_ms := limit_time(given);
    is_full := false;
    FOR i IN 1..cardinality(keys) LOOP
      own := limit_state(keys[i], spans[i], at_ms);
      windows[i] := own;
      is_full := is_full OR maxes[i] - own.used < needs[i];
    END LOOP;
    EXIT WHEN is_full;
  END LOOP;
  -- The locks of windows that many share don't wait for the disk. A crash of the database may forget their last second.
  IF NOT is_full AND 600 <= ALL (maxes) THEN PERFORM set_config('synchronous_commit', 'off', true); END IF;
  FOR i IN 1..cardinality(keys) LOOP
    own := windows[i];
    free := maxes[i] - own.used;
    IF is_full THEN
      granted := 0;
      remaining := 0;
      stamp := 0;
      wait_ms := CASE WHEN free < needs[i] THEN limit_wait(own, needs[i] - free, spans[i], at_ms) ELSE 0 END;
      RETURN NEXT;
      CONTINUE;
    END IF;
    granted := least(wants[i], free);
    -- The event was within this millisecond, and counts from its end on: never too short.
    stamp := CASE WHEN grains[i] > 1 THEN (at_ms / grains[i] + 1) * grains[i]
      WHEN given IS NULL THEN at_ms + 1 ELSE at_ms END;
    IF own.stamps[cardinality(own.stamps)] = stamp THEN
      own.counts[cardinality(own.counts)] := own.counts[cardinality(own.counts)] + granted;
    ELSE
      own.stamps := own.stamps || stamp;
      own.counts := own.counts || granted;
    END IF;
    INSERT INTO limit_counters AS c (key, stamps, counts, delete_after)
      VALUES (keys[i], own.stamps, own.counts, ((stamp + spans[i]) / 3600000 + 1) * 3600000)
      ON CONFLICT (key) DO UPDATE SET
        stamps = excluded.stamps, counts = excluded.counts,
        delete_after = greatest(c.delete_after, excluded.delete_after);
    remaining := free - granted;
    wait_ms := CASE WHEN remaining > 0 THEN 0 ELSE limit_wait(own, 1, spans[i], at_ms) END;
    RETURN NEXT;
  END LOOP;
END
$$;

-- Takes so many events of that time off each window, if they are there.
CREATE FUNCTION give_back_limits(keys uuid[], stamps bigint[], units integer[]) RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  PERFORM lock_limits(keys);
  FOR i IN 1..cardinality(keys) LOOP
    UPDATE limit_counters AS c SET (stamps, counts) = (
      SELECT coalesce(array_agg(left_over.stamp ORDER BY left_over.place), '{}'),
             coalesce(array_agg(left_over.count ORDER BY left_over.place), '{}')
      FROM (
        SELECT e.stamp, e.place, e.count - CASE
          WHEN e.place = max(e.place) FILTER (WHERE e.stamp = give_back_limits.stamps[i]) OVER ()
          THEN units[i] ELSE 0 END AS count
        FROM unnest(c.stamps, c.counts) WITH ORDINALITY AS e (stamp, count, place)
      ) AS left_over
      WHERE left_over.count > 0
    ) WHERE c.key = keys[i];
  END LOOP;
END
$$;
`;
