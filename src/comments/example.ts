import { exampleUser } from '../users/example.ts'

export const exampleComment = {
  id: 'cmt_01kazr0p5vfq1s9m7c2xw4hd3t',
  content_id: 'cnt_01kazqz8n3ee6bq0r5ytj2vk7m',
  parent_id: null,
  root_id: null,
  author: exampleUser,
  body: '색감이 정말 좋아요!',
  is_deleted: false,
  is_filtered: false,
  hidden_by: null,
  reply_count: 0,
  like_count: 2,
  is_liked: false,
  is_pinned: false,
  created_at: '2026-11-21T08:15:02.331Z',
  updated_at: '2026-11-21T08:15:02.331Z',
}
