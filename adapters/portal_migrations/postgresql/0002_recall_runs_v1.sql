-- The runs that the viewer started, or that run on the viewer's schedule; what the system starts is nobody's.
CREATE OR REPLACE VIEW recall_runs_v1 AS
SELECT r.user_id AS viewer_id, r.run_id, r.session_id, r.trigger, r.status,
       left(r.goal, 4000) AS goal, (length(r.goal) > 4000) AS truncated,
       r.created_at AS observed_at, r.started_at, r.finished_at, r.updated_at, s.title AS session_title, s.user_tz
FROM h5_agent_runs r
JOIN h5_sessions s ON s.session_id = r.session_id AND s.deleted_at IS NULL AND s.visibility <> 'system'
WHERE r.deleted_at IS NULL AND r.goal IS NOT NULL AND r.trigger IN ('user', 'schedule');

CREATE OR REPLACE VIEW recall_views_version AS SELECT 2 AS version;
