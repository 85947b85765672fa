-- Do the events of a restored database hold together? Run as xs2a_owner. Raises what is wrong. The setting xs2a.within, if it is there,
-- is how old the newest event may be: an interval such as 15min. `events verify` of the operator's command says more.
DO $$
DECLARE
  service text;
  events bigint;
  newest timestamptz;
  broken bigint;
  latest timestamptz;
  within text := nullif(current_setting('xs2a.within', true), '');
BEGIN
  FOREACH service IN ARRAY ARRAY['payments', 'consents'] LOOP
    EXECUTE format('SELECT count(*), max(occurred_at) FROM %I.events', service) INTO events, newest;
    IF events = 0 THEN
      RAISE EXCEPTION '%: there are no events', service;
    END IF;

    -- Each event names the hash of the one before it in its stream, and no version is left out.
    EXECUTE format($query$
      SELECT count(*) FROM (
        SELECT version, prev_hash, lag(version) OVER stream AS before, lag(hash) OVER stream AS hash_before
        FROM %I.events WINDOW stream AS (PARTITION BY stream_id ORDER BY version)
      ) AS chained
      WHERE version <> coalesce(before, 0) + 1 OR (before IS NOT NULL AND prev_hash <> hash_before)
    $query$, service) INTO broken;
    IF broken > 0 THEN
      RAISE EXCEPTION '%: % events do not follow the one before', service, broken;
    END IF;

    -- Each event is in the log, or waits for its position.
    EXECUTE format($query$
      SELECT count(*) FROM %1$I.events
      WHERE NOT EXISTS (SELECT FROM %1$I.log WHERE (log.stream_id, log.version) = (events.stream_id, events.version))
        AND NOT EXISTS (SELECT FROM %1$I.unsequenced AS queue WHERE (queue.stream_id, queue.version) = (events.stream_id, events.version))
    $query$, service) INTO broken;
    IF broken > 0 THEN
      RAISE EXCEPTION '%: % events are in no log', service, broken;
    END IF;

    -- Each position has its event.
    EXECUTE format($query$
      SELECT count(*) FROM %1$I.log
      WHERE NOT EXISTS (SELECT FROM %1$I.events WHERE (log.stream_id, log.version) = (events.stream_id, events.version))
    $query$, service) INTO broken;
    IF broken > 0 THEN
      RAISE EXCEPTION '%: % positions of the log have no event', service, broken;
    END IF;

    latest := greatest(latest, newest);
    RAISE NOTICE '%: % events, the newest of %', service, events, newest;
  END LOOP;

  -- Reading the tables compared every page with its checksum.
  SELECT checksum_failures INTO broken FROM pg_stat_database WHERE datname = current_database();
  IF broken > 0 THEN
    RAISE EXCEPTION '% pages are damaged', broken;
  END IF;
  IF within IS NOT NULL AND latest < now() - within::interval THEN
    RAISE EXCEPTION 'the newest event is of %, more than % ago', latest, within;
  END IF;
  RAISE NOTICE 'The restored events hold together.';
END
$$;
