-- A role that sees only the views, and row-level security below them: even a query without its WHERE gives one viewer.
-- The views belong to temporal_recall_owner, whose rows are restricted to the viewer of the transaction
-- (set_config('temporal_recall.viewer', …, true)); every other role sees the tables as before.
DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'temporal_recall_owner') THEN
    CREATE ROLE temporal_recall_owner NOLOGIN;
  END IF;
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'temporal_recall_reader') THEN
    CREATE ROLE temporal_recall_reader NOLOGIN;
  END IF;
  EXECUTE format('GRANT temporal_recall_owner, temporal_recall_reader TO %I', current_user);
  EXECUTE format('GRANT USAGE, CREATE ON SCHEMA %I TO temporal_recall_owner', current_schema());
  EXECUTE format('GRANT USAGE ON SCHEMA %I TO temporal_recall_reader', current_schema());
END $$;

GRANT SELECT ON h5_sessions, h5_session_members, h5_agent_runs, h5_messages TO temporal_recall_owner;

ALTER TABLE h5_sessions ENABLE ROW LEVEL SECURITY;
ALTER TABLE h5_session_members ENABLE ROW LEVEL SECURITY;
ALTER TABLE h5_agent_runs ENABLE ROW LEVEL SECURITY;
ALTER TABLE h5_messages ENABLE ROW LEVEL SECURITY;

CREATE POLICY portal_as_before ON h5_sessions USING (true) WITH CHECK (true);
CREATE POLICY portal_as_before ON h5_session_members USING (true) WITH CHECK (true);
CREATE POLICY portal_as_before ON h5_agent_runs USING (true) WITH CHECK (true);
CREATE POLICY portal_as_before ON h5_messages USING (true) WITH CHECK (true);

CREATE POLICY recall_viewer ON h5_session_members AS RESTRICTIVE FOR SELECT TO temporal_recall_owner
  USING (user_id = current_setting('temporal_recall.viewer', true));
CREATE POLICY recall_viewer ON h5_agent_runs AS RESTRICTIVE FOR SELECT TO temporal_recall_owner
  USING (user_id = current_setting('temporal_recall.viewer', true));
-- The sessions are listed first, as an array, so that messages are found by the index on session and time.
CREATE POLICY recall_viewer ON h5_sessions AS RESTRICTIVE FOR SELECT TO temporal_recall_owner
  USING (user_id = current_setting('temporal_recall.viewer', true)
         OR session_id = ANY (ARRAY(SELECT session_id FROM h5_session_members
                                     UNION SELECT session_id FROM h5_agent_runs)));
CREATE POLICY recall_viewer ON h5_messages AS RESTRICTIVE FOR SELECT TO temporal_recall_owner
  USING (session_id = ANY (ARRAY(SELECT session_id FROM h5_session_members
                                  UNION SELECT session_id FROM h5_sessions
                                         WHERE user_id = current_setting('temporal_recall.viewer', true)
                                           AND deleted_at IS NULL)));

CREATE OR REPLACE VIEW recall_views_version AS SELECT 3 AS version;

ALTER VIEW recall_messages_v1 SET (security_barrier = true);
ALTER VIEW recall_runs_v1 SET (security_barrier = true);
ALTER VIEW recall_messages_v1 OWNER TO temporal_recall_owner;
ALTER VIEW recall_runs_v1 OWNER TO temporal_recall_owner;
GRANT SELECT ON recall_messages_v1, recall_runs_v1, recall_views_version TO temporal_recall_reader;
DO $$
BEGIN
  EXECUTE format('REVOKE CREATE ON SCHEMA %I FROM temporal_recall_owner', current_schema());
END $$;
