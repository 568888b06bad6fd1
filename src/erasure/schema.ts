import { Type } from 'typebox'
import { choice } from '../http/fields.ts'

export const ErasureResult = Type.Object({
  erasure: Type.Object(
    { content_id: Type.String(), status: choice(['queued']) },
    { title: 'Erasure' },
  ),
})
