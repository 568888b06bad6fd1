import type { Account, InputOf } from '#sdk'
import { defineTexts, useTexts } from '../language/texts.ts'
import { Checkbox, Radios } from '../ui/Field.tsx'
import { Problem } from '../ui/Problem.tsx'
import styles from './Account.module.css'
import { useUpdate } from './queries.ts'

const ADULT = ['hide', 'blur', 'show'] as const

/** Account settings that hide or blur content, and that allow search engines to list the profile. */
export function FilterPart({ account }: { account: Account }) {
  const t = useTexts(texts)
  const { mutate, isPending, error } = useUpdate(t.saved)
  const { content_filter, is_indexed } = account
  const save = (change: InputOf<'updateMe'>) => !isPending && mutate(change)
  return (
    <div className={styles.form}>
      <Radios
        legend={t.adult}
        options={ADULT.map((choice) => [choice, t.choices[choice]])}
        value={content_filter.adult as (typeof ADULT)[number]}
        onChange={(adult) => save({ content_filter: { adult } })}
      />
      <Checkbox
        label={t.flashing}
        checked={content_filter.flashing === 'blur'}
        onChange={({ target }) =>
          save({ content_filter: { flashing: target.checked ? 'blur' : 'show' } })
        }
      />
      <Checkbox
        label={t.indexed}
        hint={t.indexedHelp}
        checked={is_indexed}
        onChange={({ target }) => save({ is_indexed: target.checked })}
      />
      {error && <Problem error={error} />}
    </div>
  )
}

const texts = defineTexts({
  ko: {
    adult: '성인용 작품',
    choices: {
      hide: '목록에서 숨기기',
      blur: '흐리게 보여 주고 누르면 보기',
      show: '그대로 보기',
    },
    flashing: '번쩍이는 화면이 있는 작품은 흐리게 보기',
    indexed: '검색 엔진에 내 프로필과 작품 보이기',
    indexedHelp: '끄면 검색 엔진에 빼 달라고 요청해요.',
    saved: '저장했어요',
  },
  en: {
    adult: 'Adult content',
    choices: {
      hide: 'Hide it from lists',
      blur: 'Blur it until you choose to see it',
      show: 'Show it',
    },
    flashing: 'Blur works with flashing images',
    indexed: 'Let search engines show your profile and works',
    indexedHelp: 'When this is off, we ask search engines to leave them out.',
    saved: 'Saved',
  },
})
