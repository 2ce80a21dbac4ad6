import { atBeginningOfPhp } from "../definitions/injecting/dialects/php.ts";
import {
  aroundCalls,
  LONGEST_KEY,
  MOST_PARTS,
  singleQuoted,
  type Asking,
  type CallDialect,
} from "./asking.ts";

/** What is longer says nothing, because where it is cut may be in the middle of a letter. */
const LONGEST = 4_000;
const LONGEST_S = 3;

/** What PHP itself brings along may reach beyond the process. What takes a reference changes a variable of the test, and a function that is given may do anything: such calls are left alone. */
function helper(name: string, { path, asked }: Asking): string {
  return `function ${name}($site, $call) {
  static $plan = null, $asked = [], $busy = false, $spent = 0.0;
  $plan ??= json_decode(${singleQuoted(JSON.stringify(asked))}, true);
  try {
    $function = new ReflectionFunction($call);
    if ($function->isInternal()) return $call;
    foreach ($function->getParameters() as $each) if ($each->isPassedByReference()) return $call;
  } catch (Throwable) { return $call; }
  $flags = JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES | JSON_PRESERVE_ZERO_FRACTION;
  $write = function (...$words) use ($flags) {
    $line = json_encode($words, $flags);
    if ($line !== false) @file_put_contents(${singleQuoted(path)}, $line . "\\n", FILE_APPEND);
  };
  $parts = 0;
  $record = function ($value) use (&$record, &$parts) {
    if (++$parts > ${MOST_PARTS}) throw new LengthException('too much to write down');
    if ($value === null || is_bool($value) || is_int($value) && abs($value) < 2 ** 53) return $value;
    if (is_float($value)) return is_finite($value) && $value != floor($value) ? $value : ['o' => (string) $value];
    if (is_string($value)) return preg_match('//u', $value) ? $value : ['o' => ''];
    if (!is_array($value)) return ['o' => gettype($value)];
    $inner = array_map($record, $value);
    if (array_is_list($value)) return ['l' => $inner];
    return ['d' => array_map(null, array_map('strval', array_keys($inner)), array_values($inner))];
  };
  $made = function ($value) use (&$made) {
    if (!is_array($value)) return $value;
    if (isset($value['l'])) return array_map($made, $value['l']);
    return array_combine(array_column($value['d'], 0), array_map(fn ($each) => $made($each[1]), $value['d']));
  };
  $changed = function ($value, $way, $other) use (&$changed, $made) {
    if ($way === []) return is_float($value) && is_int($other) ? (float) $other : $made($other);
    $value[$way[0]] = $changed($value[$way[0]], array_slice($way, 1), $other);
    return $value;
  };
  $any = function ($value, $is) use (&$any) {
    if (!is_array($value)) return $is($value);
    foreach ($value as $each) if ($any($each, $is)) return true;
    return false;
  };
  $tell = function ($id, $other, $run) use ($write, $any, $flags) {
    try { $result = $run(); } catch (Throwable $error) {
      $write($id, $other, true, get_class($error) . ': ' . $error->getMessage());
      return;
    }
    if ($result instanceof Stringable) $result = (string) $result;
    if ($any($result, fn ($each) => is_object($each) || is_resource($each))) return;
    $shown = json_encode($result, $flags);
    if ($shown !== false && strlen($shown) < ${LONGEST}) $write($id, $other, false, $shown);
  };
  return function (...$args) use ($site, $call, &$plan, &$asked, &$busy, &$spent, &$parts, $record, $made, $changed, $any, $tell) {
    if ($busy || count($asked) >= 500 || $any($args, fn ($each) => is_resource($each) || $each instanceof Closure || $each instanceof Traversable)) return $call(...$args);
    $named = array_filter($args, 'is_string', ARRAY_FILTER_USE_KEY);
    $positional = array_values(array_diff_key($args, $named));
    $parts = 0;
    try {
      $words = [$record($positional), $named === [] ? ['d' => []] : $record($named)];
    } catch (LengthException) { return $call(...$args); }
    $key = json_encode([$site, ...$words]);
    if ($key === false || strlen($key) > ${LONGEST_KEY} || isset($asked[$key])) return $call(...$args);
    $asked[$key] = true;
    $result = $thrown = null;
    try { $result = $call(...$args); } catch (Throwable $thrown) {}
    $again = function () use (&$result, &$thrown) { if ($thrown) throw $thrown; return $result; };
    if ($plan === []) $tell($site, [...$words, $key], $again);
    $busy = true;
    $begun = hrtime(true);
    ob_start();
    try {
      foreach ($plan as $each) {
        $isOwn = $each['key'] === $key;
        if (!$isOwn && (!in_array($site, $each['sites'], true) || isset($asked[$each['key']]))) continue;
        $asked[$each['key']] = true;
        $base = $isOwn ? $args : [...$made($each['args']), ...$made($each['named'])];
        $tell($each['id'], -1, $isOwn ? $again : fn () => $call(...$base));
        foreach ($each['others'] as $at => [$way, $value]) {
          if ($spent + (hrtime(true) - $begun) / 1e9 > ${LONGEST_S}) break;
          $others = $changed($base, $way, $value);
          $tell($each['id'], $at, fn () => $call(...$others));
        }
      }
    } catch (Throwable) {} finally {
      ob_end_clean();
      $busy = false;
      $spent += (hrtime(true) - $begun) / 1e9;
    }
    return $again();
  };
}`;
}

export const PHP_CALLS: CallDialect = {
  file: /\.php$/,
  withCalls: ({ text }, sites, asking) => {
    // Runners load all files into one process.
    const name = `${asking.nonce}_${sites[0]?.site ?? 0}`;
    const wrapped = aroundCalls(text, sites, ({ site }, called) => ({
      before: `\\${name}(${site}, `,
      name: `${called}(...))`,
    }));
    const isStrict = /\bdeclare\s*\(\s*strict_types\s*=\s*1\s*\)/.test(text);
    const code = `${isStrict ? "declare(strict_types=1); " : ""}${helper(name, asking)}`;
    return atBeginningOfPhp(wrapped, `eval(${singleQuoted(code)}); `) ?? text;
  },
};
