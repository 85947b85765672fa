-- Who may do what in the database `xs2a`. Run by a superuser, connected to it; may be run again.
-- One schema and one least-privilege role per service; `xs2a_owner` owns the schemas and is used by migrations and by the operator’s command line (xs2a).
-- What a service may do with its tables is granted by its migrations, table by table.
-- Passwords are set apart from this file.
DO $$
DECLARE
  role text;
  large_object_function regprocedure;
BEGIN
  FOREACH role IN ARRAY ARRAY['owner', 'payments', 'consents', 'accounts', 'auth', 'settlement', 'notifications', 'console'] LOOP
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'xs2a_' || role) THEN
      EXECUTE format('CREATE ROLE %I LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOINHERIT', 'xs2a_' || role);
    END IF;
  END LOOP;

  REVOKE ALL ON DATABASE xs2a FROM PUBLIC;
  REVOKE ALL ON SCHEMA public FROM PUBLIC;
  GRANT CONNECT ON DATABASE xs2a TO xs2a_owner;
  -- Everybody could fill the disk with large objects, which no schema's rights bound. Nothing here uses them.
  FOR large_object_function IN
    SELECT oid FROM pg_proc WHERE pronamespace = 'pg_catalog'::regnamespace AND proname ~ '^lo(_.*|read|write)$'
  LOOP
    EXECUTE format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', large_object_function);
  END LOOP;
  -- How far standbys are, for the operator's `doctor`.
  GRANT pg_read_all_stats TO xs2a_owner WITH INHERIT TRUE;

  FOREACH role IN ARRAY ARRAY['payments', 'consents', 'accounts', 'auth', 'settlement', 'notifications', 'console'] LOOP
    EXECUTE format('GRANT CONNECT ON DATABASE xs2a TO %I', 'xs2a_' || role);
    EXECUTE format('CREATE SCHEMA IF NOT EXISTS %I AUTHORIZATION xs2a_owner', role);
    EXECUTE format('GRANT USAGE ON SCHEMA %I TO %I', role, 'xs2a_' || role);
    EXECUTE format('ALTER ROLE %I IN DATABASE xs2a SET search_path = %I', 'xs2a_' || role, role);
  END LOOP;
END
$$;
