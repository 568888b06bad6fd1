import type { InputOf } from '#sdk'
import { useTexts } from '../language/texts.ts'
import { Choice } from './Choice.tsx'
import { texts } from './dataTexts.ts'

export type Choices = Pick<InputOf<'scheduleDeletion'>, 'contents' | 'texts'>

interface Props {
  choices: Choices
  onChange: (choices: Choices) => void
}

/** Choices to erase or keep the contents and the texts of an account that is deleted. */
export function ErasureChoices({ choices, onChange }: Props) {
  const t = useTexts(texts)
  return (['contents', 'texts'] as const).map((part) => (
    <Choice
      key={part}
      title={t[part]}
      options={(['erase', 'keep'] as const).map((option) => [option, t[option]])}
      value={choices[part]}
      onChange={(option) => onChange({ ...choices, [part]: option })}
    />
  ))
}
