import { atBeginningOfRuby } from "../definitions/injecting/dialects/ruby.ts";
import {
  aroundCalls,
  LONGEST_KEY,
  MOST_PARTS,
  singleQuoted,
  type Asking,
  type CallDialect,
} from "./asking.ts";

const LONGEST = 4_000;
const LONGEST_S = 3;

/**
 * What Ruby itself brings along may reach beyond the process. Blocks and procedures may do anything each time they are called, so calls that are given some are left alone. A symbol is the name
 * of a kind of things, and what `#<` begins may not show all of itself: such results say nothing.
 */
function helper(name: string, { path, asked }: Asking): string {
  return `-> {
  require "json"
  require "rbconfig"
  parts, library = 0, RbConfig::CONFIG["rubylibdir"] + "/"
  plan, asked, busy, spent = JSON.parse(${singleQuoted(JSON.stringify(asked))}), {}, false, 0.0
  open, now = File.method(:open), -> { Process.clock_gettime(Process::CLOCK_MONOTONIC) }
  write = lambda do |*words|
    open.call(${singleQuoted(path)}, "a", 0o600) { |file| file.write(JSON.generate(words) + "\\n") }
  rescue StandardError
    nil
  end
  systems = lambda do |target, name|
    from = target.method(name).source_location
    from.nil? || from[0].start_with?(library, "<internal:")
  end
  record = lambda do |value, depth = 0|
    raise "too much to write down" if (parts += 1) > ${MOST_PARTS}
    type = value.class
    if type == Integer && value.abs < 2**53 || type == Float && value.finite? && value != value.round || type == String && value.encoding == Encoding::UTF_8 && value.valid_encoding? || [NilClass, TrueClass, FalseClass].include?(type) then value
    elsif type == Symbol then { y: value.to_s }
    elsif type == Array && depth < 6 then { l: value.map { |each| record.(each, depth + 1) } }
    elsif type == Hash && depth < 6 && value.default.nil? && value.default_proc.nil? && value.keys.all? { |key| key.class == Symbol || key.class == String && !key.start_with?(":") }
      { d: value.map { |key, each| [key.class == Symbol ? ":#{key}" : key, record.(each, depth + 1)] } }
    else { o: type == Float || type == Integer ? value.to_s : type.to_s }
    end
  end
  key_of = ->(key) { key.is_a?(String) && key.start_with?(":") ? key[1..-1].to_sym : key }
  made = lambda do |value|
    next value unless value.is_a?(Hash)
    next value["y"].to_sym if value["y"]
    value["d"] ? value["d"].to_h { |key, each| [key_of.(key), made.(each)] } : value["l"].map(&made)
  end
  copy = lambda do |value|
    Marshal.load(Marshal.dump(value))
  rescue StandardError
    value.dup
  end
  changed = lambda do |value, way, other|
    if way.empty?
      fresh = made.(other)
      next value.is_a?(Float) && fresh.is_a?(Numeric) ? fresh.to_f : fresh
    end
    value = value.dup
    value[key_of.(way[0])] = changed.(value[key_of.(way[0])], way[1..-1], other)
    value
  end
  tells = lambda do |value|
    case value
    when Array then value.all?(&tells)
    when Hash then value.values.all?(&tells)
    when Symbol, Proc then false
    else !value.inspect.match?(/#<(?!struct|Set|Date)/)
    end
  end
  tell = lambda do |id, other, run|
    result = run.()
    write.(id, other, false, result.inspect[0, ${LONGEST}]) if tells.(result)
  rescue StandardError, ScriptError => error
    write.(id, other, true, "#{error.class}: #{error.message}"[0, ${LONGEST}])
  end
  ${name} = lambda do |site, target, name|
    lambda do |*args, **named, &block|
      call = ->(some, others) { target.__send__(name, *some, **others) }
      begin
        parts = 0
        is_left = busy || block || asked.size >= 500 || systems.(target, name) || [args, named.values].flatten.any? { |each| [Proc, Method, IO, Enumerator].any? { |type| type === each } }
        key = is_left ? nil : JSON.generate([site, record.(args), record.(named)])
        key = nil if key && key.size > ${LONGEST_KEY}
        words = copy.([args, named]) if key && !asked[key]
      rescue StandardError
        key = nil
      end
      next target.__send__(name, *args, **named, &block) if key.nil? || asked[key]
      asked[key] = true
      result = thrown = nil
      begin
        result = call.(args, named)
      rescue StandardError, ScriptError => error
        thrown = error
      end
      again = -> { thrown ? raise(thrown) : result }
      tell.(site, [record.(words[0]), record.(words[1]), key], again) if plan.empty?
      busy, begun = true, now.()
      begin
        plan.each do |each|
          is_own = each["key"] == key
          next unless is_own || each["sites"].include?(site) && !asked[each["key"]]
          asked[each["key"]] = true
          base = is_own ? words : [made.(each["args"]), made.(each["named"])]
          tell.(each["id"], -1, is_own ? again : -> { call.(*copy.(base)) })
          each["others"].each_with_index do |(way, value), at|
            break if spent + now.() - begun > ${LONGEST_S}
            some, others = copy.(base)
            way[0].is_a?(String) ? others = changed.(others, way, value) : some = changed.(some, way, value)
            tell.(each["id"], at, -> { call.(some, others) })
          end
        end
      rescue Exception
        nil
      ensure
        busy = false
        spent += now.() - begun
      end
      thrown ? raise(thrown) : result
    end
  end
}.call`;
}

export const RUBY_CALLS: CallDialect = {
  file: /\.rb$/,
  withCalls: ({ text }, sites, asking) => {
    // Runners load all files into one process.
    const name = `$${asking.nonce}_${sites[0]?.site ?? 0}`;
    const wrapped = aroundCalls(text, sites, ({ site, name: called, isMethod }) => ({
      before: `${name}.(${site}, ${isMethod ? "" : "self, :"}`,
      name: isMethod ? `, :${called}).` : `${called}).`,
    }));
    return atBeginningOfRuby(wrapped, `eval(${singleQuoted(helper(name, asking))}); `);
  },
};
