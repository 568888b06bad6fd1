import { Type } from 'typebox'
import { choice, textOrNull, timeOrNull } from '../http/fields.ts'

export const ThumbnailJob = Type.Object({
  job: Type.Object(
    {
      id: textOrNull({ description: 'Null while there was none' }),
      status: choice(['none', 'queued', 'processing', 'completed', 'failed']),
      thumbnail_url: textOrNull({ description: 'The picture that is shown now' }),
      error: textOrNull(),
      updated_at: timeOrNull(),
    },
    { title: 'ThumbnailJob' },
  ),
})
