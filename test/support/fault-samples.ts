/** A small piece of each language, and what says that it is accepted: a command that gets the file's name. */
export interface FaultSample {
  readonly path: string;
  readonly command: readonly [string, ...string[]];
  readonly text: string;
}

export const FAULT_SAMPLES: readonly FaultSample[] = [
  {
    path: "cart.js",
    command: ["node", "--check"],
    text: `"use strict";
const LIMIT = 3;
class Cart {
  #items = [];
  add(item) {
    if (!item) throw new Error("nothing");
    this.#items.push({ ...item, at: \`\${item.name}-\${this.#items.length + 1}\` });
    return this;
  }
  total = (tax = 0.2) => this.#items.reduce((sum, { price }) => sum + price, 0) * (1 + tax);
  names() {
    return this.#items.map((item) => item.name).filter((name) => /[^/]"/.test(name) || name.length > LIMIT);
  }
}
module.exports = { Cart, twice: (a) => (b) => a + b };
`,
  },
  {
    path: "cart.py",
    command: ["python3", "-m", "py_compile"],
    text: `"""Carts."""
from typing import Optional


class Cart:
    limit = 3

    def __init__(self, tax: float = 0.2):
        self.items = []
        self.tax = tax

    def add(self, name, price=1):
        if name is None or name in self.items:
            raise ValueError(f"no {name}")
        self.items.append((name, price))
        return self

    def total(self) -> Optional[float]:
        found = [price for _, price in self.items if price > 0]
        while len(found) > self.limit:
            found.pop()
        return (
            sum(found)
            * (1 + self.tax)
        )
`,
  },
  {
    path: "cart.go",
    command: ["go", "vet"],
    text: `package main

import (
	"errors"
	"fmt"
	"strings"
)

type Cart struct {
	names  []string
	prices map[string]int
}

func (c *Cart) Add(name string, price int) error {
	if name == "" || name == " " {
		return errors.New("no name")
	}
	for i := 0; i < len(c.names); i++ {
		if c.names[i] == name {
			return fmt.Errorf("%s: twice", name)
		}
	}
	c.names = append(c.names, name)
	c.prices[name] = price
	return nil
}

func (c *Cart) Total(tax int) (sum int) {
	for _, price := range c.prices {
		sum += price
	}
	return sum + tax
}

func (c *Cart) String() string {
	return strings.Join(c.names, ", ")
}

func main() {
	cart := Cart{prices: map[string]int{}}
	fmt.Println(cart.Add("a", 1), cart.Total(2), cart.String())
}
`,
  },
  {
    path: "cart.rs",
    command: ["rustc", "--crate-type", "lib", "--emit", "metadata", "-D", "warnings", "-A", "unused_parens"],
    text: `use std::collections::HashMap;

/// A cart.
#[derive(Debug, Default)]
pub struct Cart {
    prices: HashMap<String, u32>,
    names: Vec<String>,
}

impl Cart {
    pub fn add(&mut self, name: &str, price: u32) -> Result<usize, String> {
        if name.is_empty() || price == 0 {
            return Err(format!("no {name}"));
        }
        self.names.push(name.to_string());
        self.prices.insert(name.to_string(), price);
        Ok(self.names.len())
    }

    pub fn total(&self, tax: u32) -> u32 {
        let mut sum = 0;
        for price in self.prices.values() {
            sum += price;
        }
        sum + tax
    }

    pub fn first(&self) -> Option<&String> {
        self.names.first()
    }

    pub fn kind(letter: char) -> &'static str {
        match letter {
            '0'..='9' => "digit",
            'a' | 'b' => "letter",
            _ => "other",
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn is_empty() {
        assert_eq!(1, 1);
    }
}
`,
  },
  {
    path: "Cart.java",
    command: ["javac", "-Xlint:all", "-Werror", "-d", "."],
    text: `import java.util.ArrayList;
import java.util.List;

public class Cart {
    private final List<String> names;
    private int sum = 0;

    public Cart(List<String> names) {
        this.names = new ArrayList<>(names);
    }

    public boolean add(String name, int price) {
        if (name == null || name.isEmpty()) {
            return false;
        }
        char[] letters = name.toCharArray();
        names.add(name + letters.length);
        sum += price;
        return true;
    }

    public String kind(int count) {
        switch (count) {
            case 0:
                return "none";
            case 1:
                return "one";
            default:
                return "more: " + count;
        }
    }

    public int total(int tax) {
        return sum + tax;
    }
}
`,
  },
  {
    path: "cart.c",
    command: ["gcc", "-c", "-Wall", "-Wextra", "-Werror", "-o", "cart.o"],
    text: `#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#define LIMIT 10

struct item { const char *name; int price; struct item *next; };

static struct item *find(struct item *first, const char *name) {
    while (first != NULL && strcmp(first->name, name) != 0) first = first->next;
    return first;
}

int add(struct item **first, const char *name, int price)
{
    struct item *item = find(*first, name);
    if (item) return 0;
    item = malloc(sizeof(*item) * 1);
    if (item == NULL || price < 0 || price > LIMIT) return -1;
    memset(item, 0, sizeof(*item));
    item->name = name;
    item->price = price;
    item->next = *first;
    *first = item;
    return 1;
}

long total(const struct item *first, long tax) {
    long sum = 0;
    for (; first != NULL; first = first->next) sum += first->price;
    return sum + tax;
}
`,
  },
  {
    path: "cart.rb",
    command: ["ruby", "-c"],
    text: `require "set"

class Cart
  attr_reader :items

  def initialize(tax = 2)
    @items = []
    @tax = tax
  end

  def add(name, price: 1)
    return self if name.nil? || price < 0
    @items << [name, price]
    self
  end

  def total
    @items.sum { |_, price| price } + @tax
  end

  def to_s
    "#{@items.map { |name, _| "<#{name}>" }.join(", ")}: #{total}"
  end

  def kind
    case @items.size
    when 0 then :none
    else :some
    end
  end
end
`,
  },
  {
    path: "cart.php",
    command: ["php", "-l"],
    text: `<?php
declare(strict_types=1);

final class Cart
{
    private array $items = ['a' => 1];

    public function add(string $name, int $price = 1): bool
    {
        if ($name === '' || isset($this->items[$name])) {
            return false;
        }
        $this->items[$name] = $price;
        $this->log("added {$name}");
        return true;
    }

    public function total(): int
    {
        return array_sum(array_map(fn ($price) => $price + 1, $this->items));
    }

    private function log(string $line): void
    {
        echo <<<TEXT
        if ($line === 1) return;
        TEXT;
    }
}
`,
  },
  {
    path: "cart.sh",
    command: ["bash", "-n"],
    text: `#!/bin/bash
set -e
limit=3

add() {
  local name="$1" price="\${2:-1}"
  if [ -z "$name" ] || [[ $price -gt $limit ]]; then
    echo "no $(basename "$name")" >&2
    return 1
  fi
  total=$((total + price))
  cat <<END
if [ 1 -eq 2 ]; then don't
END
  printf '%s\\n' "$name"
}
`,
  },
];
