import { Type } from 'typebox'
import { choice, textOrNull, timeOrNull } from '../http/fields.ts'

export const ThumbnailJob = Type.Object({
  job: Type.Object(
    {
      id: textOrNull({ description: 'Null when no job has been started' }),
      status: choice(['none', 'queued', 'processing', 'completed', 'failed']),
      thumbnail_url: textOrNull({ description: 'The current thumbnail' }),
      error: textOrNull(),
      updated_at: timeOrNull(),
    },
    { title: 'ThumbnailJob' },
  ),
})
