-- What one viewer may see of the chat: messages of own sessions, and of shared ones while a member.
DROP VIEW IF EXISTS recall_messages_v1;
CREATE VIEW recall_messages_v1 AS
WITH viewers(session_id, viewer_id, from_at, to_at) AS (
  SELECT session_id, user_id, '0000', NULL FROM h5_sessions
  UNION
  SELECT m.session_id, m.user_id, m.joined_at, m.left_at FROM h5_session_members m
  JOIN h5_sessions s USING (session_id) WHERE s.visibility = 'shared' AND m.user_id <> s.user_id)
SELECT v.viewer_id, m.message_id, m.session_id, m.run_id, m.role, m.author_user_id, m.revision,
       substr(m.content, 1, 4000) AS content, (m.content_chars > 4000) AS truncated,
       m.created_at AS observed_at, m.edited_at, m.updated_at, m.seq, s.title AS session_title, s.user_tz
FROM h5_messages m
JOIN h5_sessions s ON s.session_id = m.session_id AND s.deleted_at IS NULL AND s.visibility <> 'system'
JOIN viewers v ON v.session_id = m.session_id AND m.created_at >= v.from_at
  AND (v.to_at IS NULL OR m.created_at < v.to_at)
WHERE m.deleted_at IS NULL AND m.visibility = 'visible' AND m.on_active_path = 1
  AND m.role IN ('user', 'assistant') AND m.kind = 'text';

DROP VIEW IF EXISTS recall_views_version;
CREATE VIEW recall_views_version AS SELECT 1 AS version;
