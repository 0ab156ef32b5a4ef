-- What one viewer may see of the chat: messages of own sessions, and of shared ones while a member.
CREATE OR REPLACE VIEW recall_messages_v1 AS
SELECT v.viewer_id, m.message_id, m.session_id, m.run_id, m.role, m.author_user_id, m.revision,
       left(m.content, 4000) AS content, (m.content_chars > 4000) AS truncated,
       m.created_at AS observed_at, m.edited_at, m.updated_at, m.seq, s.title AS session_title, s.user_tz
FROM h5_messages m
JOIN h5_sessions s ON s.session_id = m.session_id AND s.deleted_at IS NULL AND s.visibility <> 'system'
JOIN LATERAL (
   SELECT s.user_id AS viewer_id
   UNION
   SELECT mem.user_id FROM h5_session_members mem
    WHERE mem.session_id = s.session_id AND s.visibility = 'shared'
      AND m.created_at >= mem.joined_at AND (mem.left_at IS NULL OR m.created_at < mem.left_at)
) v ON true
WHERE m.deleted_at IS NULL AND m.visibility = 'visible' AND m.on_active_path
  AND m.role IN ('user', 'assistant') AND m.kind = 'text';

CREATE OR REPLACE VIEW recall_views_version AS SELECT 1 AS version;
