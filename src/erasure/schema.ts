import { Type } from 'typebox'
import { choice, exact } from '../http/fields.ts'
import { Deletion, ErasureChoiceName } from '../users/deletions.ts'

export const ErasureResult = Type.Object({
  erasure: Type.Object(
    { content_id: Type.String(), status: choice(['queued']) },
    { title: 'Erasure' },
  ),
})

export const DeletionResult = Type.Object({ deletion: Deletion })

const choices = { contents: ErasureChoiceName, texts: ErasureChoiceName }

export const DeletionInput = Type.Object(
  { current_password: exact(Type.String({ maxLength: 1000 })), ...choices },
  {
    examples: [{ current_password: 'a long walk by the river', contents: 'erase', texts: 'keep' }],
  },
)

export const UserErasureInput = Type.Object(
  { ...choices, reason: Type.String({ minLength: 1, maxLength: 1000 }) },
  { examples: [{ contents: 'erase', texts: 'erase', reason: 'Requested by email' }] },
)
