import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { ApiKey, DataOf } from '#sdk'
import { useTexts } from '../../language/texts.ts'
import { plaza } from '../../session/plaza.ts'
import { Confirm } from '../../ui/Confirm.tsx'
import { Select } from '../../ui/Field.tsx'
import { texts } from './texts.ts'

const OVERLAP_SECONDS = { now: 0, hour: 3600, day: 86_400 }
type Overlap = keyof typeof OVERLAP_SECONDS

interface Props {
  target: ApiKey
  onMade: (made: DataOf<'rotateKey'>) => void
  onClose: () => void
}

/** Dialog that replaces a key. The old key stops working immediately or after a chosen time. */
export function RotateKey({ target: key, onMade, onClose }: Props) {
  const t = useTexts(texts)
  const [overlap, setOverlap] = useState<Overlap>('day')
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => plaza.keys.rotate(key.id, { overlap_seconds: OVERLAP_SECONDS[overlap] }),
    onSuccess: (made) => {
      onClose()
      onMade(made)
    },
  })
  return (
    <Confirm
      isOpen
      onClose={onClose}
      title={t.rotateAsk(key.key_name)}
      description={t.rotateHelp}
      act={t.rotate}
      isBusy={isPending}
      error={error}
      onConfirm={() => mutate()}
    >
      <Select
        label={t.overlap}
        hint={t.overlapHint}
        value={overlap}
        onChange={({ target }) => setOverlap(target.value as Overlap)}
      >
        {Object.entries(t.overlaps).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </Select>
    </Confirm>
  )
}
