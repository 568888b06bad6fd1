import styles from './Avatar.module.css'

interface Props {
  person: { handle: string; display_name: string; avatar_url: string | null }
  /** Pixels at the usual size of text, with which it grows. */
  size?: number
}

/** Decorative: the name stands beside it. Without a picture, the first letter of the name. */
export function Avatar({ person, size = 36 }: Props) {
  const box = { width: inRem(size), height: inRem(size), fontSize: inRem(size * 0.42) }
  if (person.avatar_url) {
    return (
      <img
        className={styles.avatar}
        style={box}
        loading="lazy"
        src={person.avatar_url}
        alt=""
        width={size}
        height={size}
      />
    )
  }
  const [first] = person.display_name || person.handle
  // No text: a button with it would show what its name has not.
  return <span className={styles.avatar} style={box} data-letter={first} aria-hidden="true" />
}

const inRem = (pixels: number) => `${pixels / 16}rem`
